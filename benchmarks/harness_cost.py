#!/usr/bin/env python3
"""What the probe's reading loop costs per batch, against a bare loop over the same loader that does nothing.

    harness_cost.py [--batches 1000000] [--repeats 5] [--pairing RESULT.json …]

The loader hands out one ready batch again and again, so all that takes time is the loop. Both loops alternate; the
medians are compared. With results of the pairing experiment the cost is also given as a share of the batch times that
were measured there. Needs torch.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tuner-core" / "src" / "main" / "python"), str(ROOT / "benchmarks")]

import torch  # noqa: E402
from datasets import BATCH_SIZE  # noqa: E402
from loader_probe.devices import CpuDevice  # noqa: E402
from loader_probe.rounds import Round  # noqa: E402
from loader_probe.session import Session  # noqa: E402
from loader_probe.sources import Source  # noqa: E402
from loader_probe.workers import WorkerStart  # noqa: E402

# What collating arrays gives, and what collating pairs of image and label gives; below, which data sets give which.
SHAPES: dict[str, object] = {
    "a tensor": torch.zeros(BATCH_SIZE, 32),
    "a list of two tensors": [torch.zeros(BATCH_SIZE, 32), torch.zeros(BATCH_SIZE, dtype=torch.int64)],
}
GIVEN_BY = {"a tensor": ("mmap", "rows"), "a list of two tensors": ("jpeg",)}


def bare(batch: object, batches: int) -> float:
    """Seconds of `for batch in loader` over that many batches."""
    begun = perf_counter()
    for _batch in itertools.repeat(batch, batches):
        pass
    return perf_counter() - begun


def probed(batch: object, batches: int, work: str) -> float:
    """Seconds between the first and the last batch of a window of that many, read by the probe's own round."""

    def loader(_config: dict[str, Any]) -> Iterator[Any]:
        return itertools.repeat(batch)

    start = WorkerStart(os.path.join(work, "stacks"), os.path.join(work, "notes"))
    plan = {
        "warmup_batches": 0,
        "warmup_seconds": 0.0,
        "window_seconds": 0.0,
        "cycle": batches,
        "min_cycles": 1,
        "max_window_seconds": 1e9,
    }
    request = {"id": 1, "config": {"num_workers": 0, "batch_size": BATCH_SIZE}, "plan": plan, "with_step": False}
    running = Round(Session(Source("batches", loader, None), None, CpuDevice(), start), request, lambda _event: None)
    result = running.run()
    running.close()
    window = result["window"]
    if window["last"] - window["first"] != batches:
        raise RuntimeError(f"{batches} batches were to be read, not {window}")
    return (result["arrivals_us"][window["last"]] - result["arrivals_us"][window["first"]]) / 1e6


def batch_times(files: list[Path]) -> dict[str, float]:
    """Microseconds per batch by data set: of the fastest config that the pairing experiment read there."""
    rates: dict[str, list[float]] = defaultdict(list)
    for file in files:
        for name, blocks in json.loads(file.read_text(encoding="utf-8"))["pairs"].items():
            rounds = [entry["rates"] for block in blocks if block["way"] == "rebuilt" for entry in block["rounds"]]
            rates[name.partition("-")[0]] += [median(config) for config in zip(*rounds)]
    return {data: BATCH_SIZE / max(of) * 1e6 for data, of in sorted(rates.items())}


def main() -> int:
    parser = argparse.ArgumentParser(description="Measures what the probe's reading loop costs per batch.")
    parser.add_argument("--batches", type=int, default=1_000_000)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--pairing", type=Path, nargs="*", default=[], help="results of the pairing experiment")
    arguments = parser.parse_args()

    times = batch_times(arguments.pairing)
    with tempfile.TemporaryDirectory() as work:
        for shape, batch in SHAPES.items():
            costs: dict[str, list[float]] = {"bare": [], "probe": []}
            for _ in range(arguments.repeats):
                costs["bare"].append(bare(batch, arguments.batches) / arguments.batches * 1e6)
                costs["probe"].append(probed(batch, arguments.batches, work) / arguments.batches * 1e6)
            added = median(costs["probe"]) - median(costs["bare"])
            print(f"batches that are {shape}, {arguments.repeats} times {arguments.batches} of them:")
            for name, values in costs.items():
                print(f"  {name:6} {median(values):6.3f} us a batch  ({min(values):.3f} to {max(values):.3f})")
            print(f"  added  {added:6.3f} us a batch")
            for data in sorted(times.keys() & set(GIVEN_BY[shape])):
                print(
                    f"         {100 * added / times[data]:6.3f} % of the fastest batch of {data}: {times[data]:.0f} us"
                )
    return 0


if __name__ == "__main__":
    sys.exit(main())
