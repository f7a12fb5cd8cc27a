"""The rows of docs/search.md: which jobs, baselines and budgets, and how every optimiser does on them."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any, TypeVar

import optimisers
from figures import figures, quantiles
from replay import PINNED, SURFACES, Config, Job, Machine, study, truths

T = TypeVar("T")

OURS = ("one_at_a_time", "genetic", "random")
WORKERS = (0, 1, 2, 3, 4, 6)
PREFETCH = (1, 2, 4, 8)
BATCHES = (16, 32, 64, 128, 256)
BUDGETS = {"jpeg": 50, "jpeg_step": 50, "mmap": 15}
LONG_BUDGET = 300
TPE_TRIALS = 40
TODAY = (2, 2, 64)
MADE_UP = (2, 3, 64)
SHAPES = ("cpu_bound", "storage_latency", "storage_limited", "transfer_bound", "step_bound", "overhead_bound")
MODEL_WORKERS = (0, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256)
# Cores: prefetch factors and batch sizes; workers up to twice the cores, pinned or not.
MODEL_SPACES = {
    16: ((1, 2, 4, 8), (32, 64, 128, 256)),
    32: ((1, 2, 4, 8), (16, 32, 64, 128, 256)),
    64: ((1, 2, 4, 8), (16, 32, 64, 128, 256, 512)),
    128: ((1, 2, 3, 4, 6, 8, 12), (16, 32, 64, 128, 256, 512, 1024)),
}
EXHAUSTIVE_SHARE = 0.08
MODEL_BASELINE = (0, 0, 32)
# TPE takes up to seconds for a study of a model, where ours takes milliseconds.
MOST_SEEDS_OF_OTHERS = 50


def job(name: str, batches: tuple[int, ...] = (64,), noise: str = "shared") -> Job:
    arguments = [str(SURFACES), f"--dataset={name}", f"--batch-size={joined(batches)}"]
    if name == "jpeg_step":
        arguments += ["--loader-alone=jpeg", "--step-samples-per-second=500"]
    configs = tuple(
        (workers, prefetch, batch)
        for batch in batches
        for workers in WORKERS
        for prefetch in (PREFETCH if workers else (0,))
    )
    return Job(name, tuple(arguments), configs, noise)


def joined(values: tuple[int, ...]) -> str:
    return ",".join(str(value) for value in values)


@functools.cache
def proposals(of: Job, seeds: int, count: int) -> list[list[Config]]:
    """TPE's, per seed: the same whatever the baseline is, since noise depends on the seed and the configs before."""
    with Machine(of, TODAY) as machine:
        return [optimisers.tpe_proposals(of, machine, seed, count) for seed in range(seeds)]


def compared(
    row: str, of: Job, source: Job, baseline: Config, budget: int, seeds: int, trials: int, tpe_trials: int, ours: bool
) -> Iterator[dict[str, Any]]:
    """All optimisers on one job, or this tuner's alone.

    Args:
        of: the job, perhaps with a made-up baseline.
        source: the same without it, for what TPE proposes.
    """
    case = {"row": row, "job": of.name, "noise": of.noise, "baseline": list(baseline), "budget": budget}
    for sampler in OURS:
        found = study(of, baseline, sampler, seeds, budget, trials)
        yield {**case, "optimiser": sampler, **found}
    if ours:
        return
    known = truths(of, baseline)
    tpe = proposals(source, seeds, tpe_trials)
    with Machine(of, baseline) as machine:
        ends = {
            "TPE": [optimisers.unguarded(machine, seed, tpe[seed], budget) for seed in range(seeds)],
            "TPE + guard": [optimisers.guarded(machine, seed, tpe[seed], budget, baseline) for seed in range(seeds)],
            "random, unguarded": [
                optimisers.unguarded(machine, seed, optimisers.shuffled(of, seed), budget) for seed in range(seeds)
            ],
            "exhaustive": [
                optimisers.unguarded(machine, seed, optimisers.shuffled(of, seed), float("inf"))
                for seed in range(seeds)
            ],
        }
    for name, found in ends.items():
        yield {**case, "optimiser": name, **figures(found, known, of.configs, baseline)}


def fixed_batch(seeds: int, only: str, ours: bool) -> Iterator[dict[str, Any]]:
    for name, budget in chosen(BUDGETS, only):
        of = job(name)
        for baseline in ((0, 0, 64), TODAY):
            yield from compared("a", of, of, baseline, budget, seeds, 60, TPE_TRIALS, ours)


def slow_baselines(seeds: int, only: str, ours: bool) -> Iterator[dict[str, Any]]:
    for name, short in chosen(BUDGETS, only):
        of = job(name)
        for share in (0.10, 0.25, 0.50):
            for budget in (short, LONG_BUDGET):
                for found in compared("b", of.below(share), of, MADE_UP, budget, seeds, 60, TPE_TRIALS, ours):
                    yield {**found, "below": share}


def free_batch(row: str, noise: str, seeds: int, ours: bool) -> Iterator[dict[str, Any]]:
    of = job("jpeg", BATCHES, noise)
    yield from compared(row, of, of, TODAY, LONG_BUDGET, seeds, len(of.configs), len(of.configs), ours)


def shared_free_batch(seeds: int, only: str, ours: bool) -> Iterator[dict[str, Any]]:
    del only
    yield from free_batch("c", "shared", seeds, ours)


def quiet_free_batch(seeds: int, only: str, ours: bool) -> Iterator[dict[str, Any]]:
    """And TPE's regret after every ten seconds, for as long as it has trials."""
    del only
    yield from free_batch("d", "quiet", seeds, ours)
    if ours:
        return
    of = job("jpeg", BATCHES, "quiet")
    best = max(seen.truth for seen in truths(of, TODAY).values())
    grid = range(10, 601, 10)
    regrets: dict[int, list[float]] = {seconds: [] for seconds in grid}
    with Machine(of, TODAY) as machine:
        for seed, proposed in enumerate(proposals(of, seeds, len(of.configs))):
            machine.begin(seed)
            seen = [machine.measure(config) for config in proposed]
            for seconds in grid:
                leading = max((trial for trial in seen if trial.elapsed <= seconds), key=lambda t: t.rate, default=None)
                regrets[seconds].append(100 * (1 - leading.truth / best) if leading else 100)
    yield {
        "row": "d",
        "job": of.name,
        "optimiser": "TPE by seconds",
        "curve": [{"seconds": seconds, **quantiles(values)} for seconds, values in regrets.items()],
    }


def modelled(seeds: int, only: str, ours: bool) -> Iterator[dict[str, Any]]:
    jobs = {f"{shape} on {cores} cores": (shape, cores) for cores in MODEL_SPACES for shape in SHAPES}
    for name, (shape, cores) in chosen(jobs, only):
        yield from model(name, shape, cores, seeds, ours)


def model(name: str, shape: str, cores: int, seeds: int, ours: bool) -> Iterator[dict[str, Any]]:
    prefetch, batches = MODEL_SPACES[cores]
    workers = tuple(count for count in MODEL_WORKERS if count <= 2 * cores)
    arguments = (
        f"--model={shape}",
        f"--cores={cores}",
        f"--num-workers={joined(workers)}",
        f"--prefetch-factor={joined(prefetch)}",
        f"--batch-size={joined(batches)}",
    )
    configs = tuple(
        (count, factor, batch, *pinned)
        for batch in batches
        for count in workers
        for factor in (prefetch if count else (0,))
        for pinned in ((), (PINNED,))
    )
    of = Job(name, arguments, configs)
    # One study without a search to speak of, for what an exhaustive pass costs.
    whole = study(of, MODEL_BASELINE, "one_at_a_time", 1, 10, 1)["exhaustive_seconds"]
    budget = int(EXHAUSTIVE_SHARE * whole)
    found = study(of, MODEL_BASELINE, "one_at_a_time", seeds, budget, 10_000)
    case = {"row": "e", "job": of.name, "cores": cores, "budget": budget}
    yield {**case, "optimiser": "one_at_a_time", **found}
    if ours:
        return
    known = truths(of, MODEL_BASELINE)
    others = min(seeds, MOST_SEEDS_OF_OTHERS)
    with Machine(of, MODEL_BASELINE) as machine:
        ends = {
            "TPE": [
                optimisers.unguarded(machine, seed, tpe_in_time(of, machine, seed, budget), budget)
                for seed in range(others)
            ],
            "random, unguarded": [
                optimisers.unguarded(machine, seed, optimisers.shuffled(of, seed), budget) for seed in range(others)
            ],
        }
    for optimiser, ended in ends.items():
        yield {**case, "optimiser": optimiser, **figures(ended, known, configs, MODEL_BASELINE)}


def tpe_in_time(of: Job, machine: Machine, seed: int, budget: int) -> list[Config]:
    """TPE's proposals until the budget is spent."""
    return optimisers.tpe_proposals(of, machine, seed, len(of.configs), budget)


def chosen(jobs: dict[str, T], only: str) -> list[tuple[str, T]]:
    """All where `only` is empty; else those of this name, or on so many cores."""
    return [(name, job) for name, job in jobs.items() if not only or only in (name, *name.split(" on "))]


ROWS = {
    "a": fixed_batch,
    "b": slow_baselines,
    "c": shared_free_batch,
    "d": quiet_free_batch,
    "e": modelled,
}
