"""Probes for the tests: the real supervisor and the real probe, over pipes."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from loader_probe.client import Client

HERE = Path(__file__).parent
PACKAGE_FOLDER = str(HERE.parents[1] / "main" / "python")
USER_CODE = str(HERE / "user_code")

SHORT_PLAN = {
    "warmup_batches": 2,
    "warmup_seconds": 0.0,
    "window_seconds": 0.05,
    "cycle": 2,
    "min_cycles": 2,
    "max_window_seconds": 5.0,
}
TWO_WORKERS = {"num_workers": 2, "batch_size": 4, "prefetch_factor": 2, "persistent_workers": True}
NO_WORKERS = {"num_workers": 0, "batch_size": 4}


def python_source(factory: str, **arguments: Any) -> dict[str, Any]:
    """A source of kind ``python`` from the tests' own user code."""
    return {"kind": "python", "factory": factory, "arguments": arguments, "python_path": [USER_CODE]}


def environment() -> dict[str, str]:
    """What the tuner gives a child, and nothing else of the machine that the tests run on."""
    kept = ("PATH", "HOME", "TMPDIR", "LANG")
    return {name: os.environ[name] for name in kept if name in os.environ} | {"OMP_NUM_THREADS": "1"}


def wait_for(condition: Callable[[], Any], seconds: float = 20.0) -> Any:
    """Waits until the condition holds, and returns what it said."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        value = condition()
        if value:
            return value
        time.sleep(0.01)
    raise AssertionError(f"{condition} did not come true within {seconds} s")


class Probe(Client):
    """A client that knows its log."""

    def __init__(self, role: str, log: Path, interpreter_folder: str = PACKAGE_FOLDER, **popen: Any) -> None:
        self.log_path = log
        with log.open("wb") as file:
            super().__init__(interpreter_folder, role, log=file, env=environment(), **popen)

    def open(self, source: dict[str, Any], step: dict[str, Any] | None = None, device: str = "cpu") -> dict[str, Any]:
        return self.ask("open", source=source, step=step, device=device, seed=7)

    def log(self) -> str:
        return self.log_path.read_text(encoding="utf-8", errors="replace")


def open_together(*probes: tuple[Probe, dict[str, Any]]) -> None:
    """Opens each probe with its source, all at once: importing torch takes a while."""
    asked = [(probe, probe.send("open", source=source, step=None, device="cpu", seed=7)) for probe, source in probes]
    for probe, identity in asked:
        answer = probe.until(identity, "result", "error")
        assert "result" in answer, answer


def _factory(folder: Path) -> Iterator[Callable[..., Probe]]:
    probes: list[Probe] = []

    def start(role: str = "warm", source: dict[str, Any] | None = None, **popen: Any) -> Probe:
        probe = Probe(role, folder / f"log-{len(probes)}.txt", **popen)
        probes.append(probe)
        if source is not None:
            answer = probe.open(source)
            assert "result" in answer, answer
        return probe

    yield start
    for probe in probes:
        probe.close()


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., Probe]]:
    """Starts probes that end with the test."""
    yield from _factory(tmp_path)


@pytest.fixture(scope="module")
def start_shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., Probe]]:
    """Starts probes that end with the module: importing torch takes a while."""
    yield from _factory(tmp_path_factory.mktemp("shared"))
