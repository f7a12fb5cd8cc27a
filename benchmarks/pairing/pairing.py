#!/usr/bin/env python3
"""Measures which way of getting paired rounds resolves more per second: rebuilt loaders, or loaders kept open.

    pairing.py measure CACHE RESULT.json [--pairs jpeg-1-2 …]
    pairing.py report RESULT.json …

Each pair of configs is measured in blocks; within a repetition the ways follow each other in random order, so that the
machine's drift hits them alike. See benchmarks/README.md.
"""

from __future__ import annotations

import argparse
import os
import platform
import random
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "tuner-core" / "src" / "main" / "python"), str(ROOT / "benchmarks")]

import commands  # noqa: E402
import datasets  # noqa: E402
from report import table  # noqa: E402

# Number of workers and prefetch_factor of each config; three configs where the name has three numbers.
PAIRS = {
    "jpeg-1-2": ("jpeg", (1, 2), (2, 2)),
    "jpeg-2-3": ("jpeg", (2, 2), (3, 2)),
    "jpeg-0-2": ("jpeg", (0, None), (2, 2)),
    "jpeg-prefetch-2-4": ("jpeg", (2, 2), (2, 4)),
    "jpeg-same": ("jpeg", (2, 2), (2, 2)),
    "jpeg-1-2-3": ("jpeg", (1, 2), (2, 2), (3, 2)),
    "mmap-1-2": ("mmap", (1, 2), (2, 2)),
    "mmap-0-2": ("mmap", (0, None), (2, 2)),
    "mmap-same": ("mmap", (2, 2), (2, 2)),
    "rows-0-2": ("rows", (0, None), (2, 2)),
    "rows-same": ("rows", (2, 2), (2, 2)),
}


def measure(arguments: argparse.Namespace) -> dict[str, Any]:
    import torch
    from loader_probe.loading import LoaderConfig
    from loader_probe.session import open_session
    from ways import WAYS, run_block

    cpus = len(os.sched_getaffinity(0))
    order = random.Random(arguments.seed)
    pairs: dict[str, list[dict[str, Any]]] = {name: [] for name in arguments.pairs}
    with tempfile.TemporaryDirectory() as work:
        sessions: dict[str, Any] = {}
        for repetition in range(arguments.repetitions):
            for name in order.sample(arguments.pairs, len(arguments.pairs)):
                data, *settings = PAIRS[name]
                if data not in sessions:
                    source = datasets.prepare(data, arguments.cache)["source"]
                    request = {"source": source, "device": "cpu", "seed": arguments.seed}
                    sessions[data] = open_session(request, work, os.path.join(work, "stacks"), cpus)[0]
                configs = [LoaderConfig(workers, datasets.BATCH_SIZE, prefetch) for workers, prefetch in settings]
                for way in order.sample(WAYS, len(WAYS)):
                    block = run_block(way, sessions[data], configs, arguments.block, arguments.window, order)
                    pairs[name].append({**block.as_json(), "repetition": repetition})
                    print(f"{repetition} {name} {way}: {len(block.rounds)} rounds", file=sys.stderr)
    return {
        "torch": str(torch.__version__),
        "python": platform.python_version(),
        "cpus": cpus,
        "block_seconds": arguments.block,
        "kept_window_seconds": arguments.window,
        "pairs": pairs,
    }


def main() -> int:
    parser = argparse.ArgumentParser(description="Compares rebuilt loaders with loaders kept open.")
    run, show = commands.add(parser)
    run.add_argument("--pairs", nargs="+", choices=list(PAIRS), default=list(PAIRS))
    run.add_argument("--repetitions", type=int, default=3, help="blocks of each way and pair, 2 or more")
    run.add_argument("--block", type=float, default=12.5, help="seconds of one block")
    run.add_argument("--window", type=float, default=0.5, help="seconds of a window where loaders are kept open")
    show.add_argument("--pairs", nargs="+", choices=list(PAIRS), default=list(PAIRS))
    arguments = parser.parse_args()

    if arguments.command == "measure" and arguments.repetitions < 2:
        parser.error("what differs from block to block shows with 2 repetitions or more")
    results = commands.results(arguments, measure)
    pairs: dict[str, list[dict[str, Any]]] = {}
    for result in results:
        for name in set(arguments.pairs) & set(result["pairs"]):
            # Another run is another process, whose rates may lie elsewhere: its blocks are not mixed with these.
            runs = sum(known.partition(" ")[0] == name for known in pairs)
            pairs[f"{name} ({runs + 1})" if runs else name] = result["pairs"][name]
    print(table(dict(sorted(pairs.items()))))
    return 0


if __name__ == "__main__":
    sys.exit(main())
