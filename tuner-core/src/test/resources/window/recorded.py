#!/usr/bin/env python3
"""Makes recorded.csv: some recorded trials with what the window's rule should find in them, worked out on its own here.

    recorded.py TRIALS.csv BATCH_GAPS.csv.gz > recorded.csv

The two files are those of the recorded surfaces: one trial a row, and its batches' gaps in units of 10 µs, the first
from iter(). Trials that are too short for a window are left out.
"""

from __future__ import annotations

import csv
import gzip
import itertools
import sys
from fractions import Fraction

PER_CONFIG = 6
MOST_BATCHES = 1500
COLUMNS = (
    *("id", "dataset", "workers", "batch_size", "recorded_rate"),
    *("first", "last", "batches_per_second", "gaps_10us"),
)


def window(ticks: list[int], workers: int) -> tuple[int, int] | None:
    """By brute force: of all pairs of batches that may bound a window, the first."""
    cycle = max(1, workers)
    origin, warmup = (ticks[0], 50_000) if workers else (0, 150_000)
    for first in range(len(ticks)):
        if first % cycle == 0 and first >= cycle and ticks[first] - origin >= warmup:
            for last in range(first + cycle, len(ticks), cycle):
                took = ticks[last] - ticks[first]
                if took >= 1_000_000 or (took >= 100_000 and last - first >= 2 * cycle):
                    return first, last
            return None
    return None


def main() -> None:
    with open(sys.argv[1], encoding="utf-8") as file:
        trials = {row["id"]: row for row in csv.DictReader(file)}
    with gzip.open(sys.argv[2], "rt", encoding="utf-8") as file:
        gaps = {row["id"]: row["gaps_10us"] for row in csv.DictReader(file)}
    kept: dict[tuple[str, str], int] = {}
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow(COLUMNS)
    for key, trial in trials.items():
        if key not in gaps or trial["clean"] != "True" or trial["run"] not in ("long", "rep", "confirm", "grid"):
            continue
        ticks = list(itertools.accumulate(int(gap) for gap in gaps[key].split()))
        config = (trial["dataset"], trial["num_workers"])
        if len(ticks) > MOST_BATCHES or kept.get(config, 0) == PER_CONFIG:
            continue
        edges = window(ticks, int(trial["num_workers"]))
        if not edges:
            continue
        kept[config] = kept.get(config, 0) + 1
        rate = Fraction((edges[1] - edges[0]) * 100_000, ticks[edges[1]] - ticks[edges[0]])
        found = [str(edges[0]), str(edges[1]), f"{float(rate):.6f}"]
        out.writerow([key, *config, trial["batch_size"], trial["samples_per_second"], *found, gaps[key]])


main()
