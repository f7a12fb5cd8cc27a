"""The tuner's two probes of a data set, for benchmarks that measure as it does."""

from __future__ import annotations

import contextlib
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

PROBE = Path(__file__).resolve().parent.parent / "tuner-core" / "src" / "main" / "python"
sys.path.insert(0, str(PROBE))

import plans  # noqa: E402
from loader_probe.client import Client  # noqa: E402


class Probes:
    """One probe that forks workers, and one that loads by itself: what it has read, no worker inherits."""

    def __init__(self, clients: dict[str, Client]) -> None:
        self._clients = clients

    def round(self, num_workers: int, prefetch_factor: int | None, batch_size: int) -> dict[str, Any]:
        """The probe's result of a first look at a config, the loader alone, with ``samples_per_second``."""
        settings = {
            "num_workers": num_workers,
            "prefetch_factor": prefetch_factor,
            "batch_size": batch_size,
            "persistent_workers": num_workers > 0,
        }
        client = self._clients["warm" if num_workers else "inline"]
        answer = client.round(settings, plans.exploring(num_workers), with_step=False)
        if "error" in answer:
            raise RuntimeError(f"{settings}: {answer['error']['message']}")
        result = answer["result"]
        window, arrivals = result["window"], result["arrivals_us"]
        took = arrivals[window["last"]] - arrivals[window["first"]]
        return {**result, "samples_per_second": result["window_samples"] * 1e6 / took}


@contextlib.contextmanager
def opened(source: dict[str, Any]) -> Iterator[Probes]:
    """Both probes with the data set built."""
    with tempfile.TemporaryFile() as log:
        clients = {role: Client(str(PROBE), role, log) for role in ("inline", "warm")}
        try:
            for client in clients.values():
                answer = client.ask("open", source=source, step=None, device="auto", seed=1)
                if "error" in answer:
                    raise RuntimeError(answer["error"]["message"])
            yield Probes(clients)
        finally:
            for client in clients.values():
                client.close()
