#!/usr/bin/env python3
"""Records rates of the real DataLoader over a grid of configs, for FitModel.java to fit the loader's model to.

    record.py CACHE RATES.csv --data rows [--rounds 2]

Each round is the probe's own (a new DataLoader, warm-up, an aligned window of a second). Rounds are interleaved: every
config once, in random order, before any comes again. 39 configs in two rounds take about three minutes and a half. It
wants a machine that does nothing else: a round in which others used more than 6 % of the CPUs is marked as not clean,
and the fit leaves it out.
"""

from __future__ import annotations

import argparse
import csv
import itertools
import os
import random
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "benchmarks"))

import datasets  # noqa: E402
import probes  # noqa: E402

WORKERS = (1, 2, 3, 4)
PREFETCH = (1, 2, 4)
BATCH_SIZES = (16, 64, 256)
HARMLESS_SHARE = 0.06
COLUMNS = (
    "dataset",
    "round",
    "num_workers",
    "prefetch_factor",
    "batch_size",
    "samples_per_second",
    "foreign_cores",
    "clean",
)
# Number of workers, prefetch_factor (0 without workers), batch_size.
Config = tuple[int, int, int]


def configs() -> list[Config]:
    with_workers = itertools.product(WORKERS, PREFETCH, BATCH_SIZES)
    return [(0, 0, batch) for batch in BATCH_SIZES] + list(with_workers)


def config(text: str) -> Config:
    workers, prefetch, batch = (int(part) for part in text.split("/"))
    return workers, prefetch, batch


def record(arguments: argparse.Namespace) -> list[int]:
    """Writes a line for each round as it ends; returns how many clean ones each config has."""
    cpus = len(os.sched_getaffinity(0))
    order = random.Random(arguments.seed)
    source = datasets.prepare(arguments.data, arguments.cache)["source"]
    clean = dict.fromkeys(arguments.configs, 0)
    with arguments.rates.open("w", encoding="utf-8", newline="") as file, probes.opened(source) as opened:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(COLUMNS)
        for number in range(1, arguments.rounds + 1):
            for each in order.sample(arguments.configs, len(arguments.configs)):
                workers, prefetch, batch = each
                result = opened.round(workers, prefetch or None, batch)
                foreign = result["cpu"]["foreign_cores"] or 0.0
                undisturbed = foreign <= HARMLESS_SHARE * cpus
                clean[each] += undisturbed
                rate = f"{result['samples_per_second']:.1f}"
                rows.writerow([arguments.data, number, *each, rate, f"{foreign:.3f}", undisturbed])
                file.flush()
    return list(clean.values())


def main() -> int:
    parser = argparse.ArgumentParser(description="Records rates for the loader's model to be fitted to.")
    parser.add_argument("cache", type=Path, help="folder of the data sets, which are made where they are missing")
    parser.add_argument("rates", type=Path, help="CSV to write")
    parser.add_argument("--data", choices=sorted(datasets.MAKERS), required=True)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--configs", nargs="+", type=config, default=configs(), metavar="WORKERS/PREFETCH/BATCH")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()

    clean = record(arguments)
    print(
        f"{len(clean)} configs, {arguments.rounds} rounds each, {sum(clean)} of them clean; "
        f"{clean.count(0)} configs have no clean round"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
