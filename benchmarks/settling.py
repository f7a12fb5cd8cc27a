#!/usr/bin/env python3
"""Measures how long a new DataLoader takes to settle: its rate in slices of time since the first batch came.

    settling.py measure CACHE RESULT.json [--rounds 12] [--slices 16]
    settling.py report RESULT.json …

Each round is the probe's own with no warm-up and a window as long as all slices; configs take turns in random order.
The report gives each slice's rate over that of the second half of the same round, as a geometric mean with its standard
error.
"""

from __future__ import annotations

import argparse
import bisect
import math
import os
import random
import statistics
import sys
import tempfile
from dataclasses import asdict
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tuner-core" / "src" / "main" / "python"), str(ROOT / "benchmarks")]

import commands  # noqa: E402
import datasets  # noqa: E402

SLICE_SECONDS = 0.25
# Data set, number of workers, prefetch_factor.
CONFIGS = {
    "mmap-0": ("mmap", 0, None),
    "mmap-1": ("mmap", 1, 2),
    "mmap-2": ("mmap", 2, 2),
    "mmap-4": ("mmap", 4, 2),
    "rows-1": ("rows", 1, 2),
    "rows-2": ("rows", 2, 2),
    "rows-4": ("rows", 4, 2),
}
# A round in which others used more of this machine is left out of the report.
HARMLESS_SHARE = 0.06


def measure(arguments: argparse.Namespace) -> dict[str, Any]:
    from loader_probe.loading import LoaderConfig
    from loader_probe.rounds import Round
    from loader_probe.session import open_session

    cpus = len(os.sched_getaffinity(0))
    order = random.Random(arguments.seed)
    rounds: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory() as work:
        sessions: dict[str, Any] = {}
        for number in range(arguments.rounds):
            for name in order.sample(arguments.configs, len(arguments.configs)):
                data, workers, prefetch = CONFIGS[name]
                if data not in sessions:
                    source = datasets.prepare(data, arguments.cache)["source"]
                    request = {"source": source, "device": "cpu", "seed": arguments.seed}
                    sessions[data] = open_session(request, work, os.path.join(work, "stacks"), cpus)[0]
                config = LoaderConfig(workers, datasets.BATCH_SIZE, prefetch)
                seconds = arguments.slices * SLICE_SECONDS
                plan = {
                    "warmup_batches": 0,
                    "warmup_seconds": 0,
                    "window_seconds": seconds,
                    "cycle": max(1, workers),
                    "min_cycles": 2,
                    "max_window_seconds": 10 * seconds,
                }
                request = {
                    "id": 1,
                    "config": asdict(config),
                    "plan": plan,
                    "with_step": False,
                    "seed": order.randrange(1 << 30),
                }
                running = Round(sessions[data], request, lambda _event: None)
                result = running.run()
                running.close()
                rounds.append(
                    {
                        "round": number,
                        "config": name,
                        "cycle": plan["cycle"],
                        "foreign_share": (result["cpu"]["foreign_cores"] or 0.0) / cpus,
                        "rates": rates(result["arrivals_us"], plan["cycle"], arguments.slices),
                    }
                )
    return {"cpus": cpus, "batch_size": datasets.BATCH_SIZE, "slice_seconds": SLICE_SECONDS, "rounds": rounds}


def rates(arrivals_us: list[int], cycle: int, slices: int) -> list[float]:
    """Batches per second of each slice, whole cycles each."""
    found = []
    for number in range(slices):
        first = bisect.bisect_left(arrivals_us, arrivals_us[0] + number * SLICE_SECONDS * 1e6)
        last = bisect.bisect_left(arrivals_us, arrivals_us[0] + (number + 1) * SLICE_SECONDS * 1e6)
        last = min(len(arrivals_us) - 1, last)
        last -= (last - first) % cycle
        took = arrivals_us[last] - arrivals_us[first]
        found.append(round((last - first) * 1e6 / took, 2) if took > 0 else 0.0)
    return found


def report(results: list[dict[str, Any]]) -> str:
    lines = []
    rounds = [one for result in results for one in result["rounds"]]
    for name in CONFIGS:
        quiet = [one["rates"] for one in rounds if one["config"] == name and one["foreign_share"] <= HARMLESS_SHARE]
        if len(quiet) < 2:
            continue
        lines.append(f"{name}: {len(quiet)} rounds, {statistics.median(middle(one) for one in quiet):.0f} batches/s")
        for number in range(len(quiet[0]) // 2 + 1):
            logs = [math.log(one[number] / middle(one)) for one in quiet if one[number] > 0]
            begin = number * SLICE_SECONDS
            mean, error = statistics.mean(logs), statistics.stdev(logs) / math.sqrt(len(logs))
            lines.append(f"  {begin:.2f} s to {begin + SLICE_SECONDS:.2f} s: {math.exp(mean):.3f} ± {error:.3f}")
    return "\n".join(lines)


def middle(rates_of_round: list[float]) -> float:
    """The settled rate of a round: the mean of its second half."""
    return statistics.mean(rates_of_round[len(rates_of_round) // 2 :])


def main() -> int:
    parser = argparse.ArgumentParser(description="How long a new DataLoader takes to settle.")
    run, _ = commands.add(parser)
    run.add_argument("--configs", nargs="+", choices=list(CONFIGS), default=list(CONFIGS))
    run.add_argument("--rounds", type=int, default=12)
    run.add_argument("--slices", type=int, default=16, help="of a quarter of a second each")
    print(report(commands.results(parser.parse_args(), measure)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
