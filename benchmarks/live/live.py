#!/usr/bin/env python3
"""Is what a study recommends as good as an exhaustive grid's best? Studies and a grid of one data set, really measured.

    live.py measure CACHE RESULT.json JAR --data jpeg [--rounds 8] [--studies 10] [--budget 60]
    live.py report RESULT.json …

The grid's rounds are interleaved: every config once a round, in random order, half of the rounds before the studies and
half after them. A study is a fresh run of the command line that knows nothing of the others. See benchmarks/README.md.
"""

from __future__ import annotations

import argparse
import itertools
import json
import math
import os
import random
import statistics
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "benchmarks"))

import commands  # noqa: E402
import datasets  # noqa: E402
import probes  # noqa: E402

WORKERS = (0, 1, 2, 3, 4)
PREFETCH = (1, 2, 4)
HODGES_LEHMANN_OVER_MEAN = math.sqrt(math.pi / 3)


@dataclass(frozen=True)
class Config:
    """What the grid varies."""

    num_workers: int
    prefetch_factor: int | None

    def __str__(self) -> str:
        return f"{self.num_workers} workers, prefetch {self.prefetch_factor}" if self.num_workers else "0 workers"

    @classmethod
    def of(cls, config: dict[str, Any]) -> Config:
        return cls(config["num_workers"], config["prefetch_factor"])


CONFIGS = [Config(0, None), *(Config(*pair) for pair in itertools.product(WORKERS[1:], PREFETCH))]


def measure(arguments: argparse.Namespace) -> dict[str, Any]:
    descriptor = datasets.prepare(arguments.data, arguments.cache)
    descriptor["space"] = {"num_workers": list(WORKERS), "prefetch_factor": list(PREFETCH)}
    descriptor["space"]["batch_size"] = [datasets.BATCH_SIZE]
    descriptor["baseline"] = {"batch_size": datasets.BATCH_SIZE}
    descriptor["budget"] = {"seconds": arguments.budget}
    order = random.Random(arguments.seed)
    grid = grid_rounds(descriptor["source"], arguments.rounds // 2, order)
    studies = [study(descriptor, arguments.jar) for _ in range(arguments.studies)]
    grid += grid_rounds(descriptor["source"], arguments.rounds - len(grid), order)
    return {"data": arguments.data, "cpus": len(os.sched_getaffinity(0)), "grid": grid, "studies": studies}


def grid_rounds(source: dict[str, Any], count: int, order: random.Random) -> list[dict[str, float]]:
    """Samples per second of every config, one dictionary a round."""
    with probes.opened(source) as opened:
        return [
            {str(config): rate(opened, config) for config in order.sample(CONFIGS, len(CONFIGS))} for _ in range(count)
        ]


def rate(opened: probes.Probes, config: Config) -> float:
    return opened.round(config.num_workers, config.prefetch_factor, datasets.BATCH_SIZE)["samples_per_second"]


def study(descriptor: dict[str, Any], jar: Path) -> dict[str, Any]:
    """Recommended config, tie set and seconds of a fresh study."""
    command = ["java", "-jar", str(jar), "tune", "-", "--json", f"--python={sys.executable}"]
    ran = subprocess.run(command, input=json.dumps(descriptor), capture_output=True, text=True, check=False)
    if ran.returncode != 0:
        raise RuntimeError(f"the study ended with {ran.returncode}: {ran.stderr[-2000:]}{ran.stdout[-2000:]}")
    answer = json.loads(ran.stdout)
    configs = {trial["number"]: trial["config"] for trial in answer["trials"]}
    found = answer["study"]["recommendation"]
    return {
        "kind": found["kind"],
        "recommended": str(Config.of(found["config"])),
        "tied": sorted(str(Config.of(configs[number])) for number in answer["study"]["tie_set"]),
        "speedup": found["speedup"],
        "trials": len(configs),
        "seconds": answer["study"]["progress"]["seconds_used"],
    }


def hodges_lehmann(values: list[float]) -> float:
    return statistics.median((a + b) / 2 for a, b in itertools.combinations_with_replacement(values, 2))


def log_ratio(grid: list[dict[str, float]], one: str, other: str) -> tuple[float, float]:
    """Middle of the paired rounds' log ratios, and its standard error."""
    values = [math.log(rates[one] / rates[other]) for rates in grid]
    if len(values) < 2 or one == other:
        return hodges_lehmann(values), 0.0
    return hodges_lehmann(values), HODGES_LEHMANN_OVER_MEAN * statistics.stdev(values) / math.sqrt(len(values))


def report(result: dict[str, Any]) -> str:
    grid, studies = result["grid"], result["studies"]
    names = [str(config) for config in CONFIGS]
    middle = {name: hodges_lehmann([math.log(rates[name]) for rates in grid]) for name in names}
    best = max(names, key=lambda name: middle[name])
    lines = [f"{result['data']}: {len(names)} configs, {len(grid)} interleaved rounds, {result['cpus']} CPUs", ""]
    lines += ["| config | samples/s | over the grid's best | recommended in | tied in |", "|---|---|---|---|---|"]
    for name in sorted(names, key=lambda name: -middle[name]):
        ratio, error = log_ratio(grid, name, best)
        chosen = sum(one["recommended"] == name for one in studies)
        tied = sum(name in one["tied"] for one in studies)
        lines.append(
            f"| {name} | {math.exp(middle[name]):.0f} | {math.exp(ratio):.3f} ± {error:.3f} | {chosen} | {tied} |"
        )
    regrets = sorted(1 - math.exp(log_ratio(grid, one["recommended"], best)[0]) for one in studies)
    agreeing = max(sum(one["recommended"] in other["tied"] for one in studies) for other in studies)
    mutual = [
        sum(one["recommended"] in other["tied"] and other["recommended"] in one["tied"] for other in studies)
        for one in studies
    ]
    lines += [
        "",
        f"regret against the grid's best: median {statistics.median(regrets):.1%}, largest {regrets[-1]:.1%}",
        f"recommendations in one study's tie set: {agreeing} of {len(studies)}; "
        f"studies that agree with a study both ways: {', '.join(map(str, sorted(mutual)))}",
        f"seconds: median {statistics.median(one['seconds'] for one in studies):.0f}; "
        f"trials: {min(one['trials'] for one in studies)} to {max(one['trials'] for one in studies)}; "
        f"kinds: {', '.join(sorted({one['kind'] for one in studies}))}",
    ]
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description="Recommendations of fresh studies against an exhaustive grid.")
    run, _ = commands.add(parser)
    run.add_argument("jar", type=Path, help="the command line: tuner-core/target/loader-tuner.jar")
    run.add_argument("--data", choices=sorted(datasets.MAKERS), required=True)
    run.add_argument("--rounds", type=int, default=8)
    run.add_argument("--studies", type=int, default=10)
    run.add_argument("--budget", type=int, default=60, help="seconds of a study")
    print("\n\n".join(map(report, commands.results(parser.parse_args(), measure))))
    return 0


if __name__ == "__main__":
    sys.exit(main())
