"""The ways of getting paired rounds that are compared: loaders built anew for each round, and loaders kept open."""

from __future__ import annotations

import random
import time
from dataclasses import asdict, dataclass, field
from time import perf_counter, perf_counter_ns
from typing import Any

import plans
from loader_probe import child_deaths, loading, usage
from loader_probe.batches import count_samples
from loader_probe.loading import LoaderConfig
from loader_probe.rounds import Round
from loader_probe.session import Session
from loader_probe.window import Plan

FILL_SECONDS = 10.0
POLL_SECONDS = 0.002


@dataclass
class PairedRound:
    """Every config once. Rates are in samples per second, in the order of the configs."""

    rates: list[float]
    seconds: float
    foreign_cores: float
    # Rate of the window's second half over that of its first: above 1 where the window began too early or disturbed.
    halves: list[float]
    # What the round would have said with windows as short as those of loaders kept open, and in how much less time.
    short_rates: list[float] = field(default_factory=list)
    short_saves: float = 0.0


@dataclass
class Block:
    """Successive paired rounds of one way; ``seconds`` counts opening and closing too."""

    way: str
    rounds: list[PairedRound] = field(default_factory=list)
    seconds: float = 0.0
    shared_memory_bytes: int = 0

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True)
class Reading:
    """One config in one round."""

    rate: float
    foreign_cores: float
    halves: float
    shared_memory_bytes: int = 0
    short_rate: float = 0.0
    short_saves: float = 0.0


class Rebuilt:
    """As the tuner does it: the probe's own round, with a new ``DataLoader`` each time."""

    def __init__(self, session: Session, configs: list[LoaderConfig], seed: int, short: float) -> None:
        self._session, self._configs, self._seed, self._short = session, configs, seed, short

    def read(self, index: int) -> Reading:
        config = self._configs[index]
        plan = plans.exploring(config.num_workers)
        self._seed += 1
        request = {"id": 1, "config": asdict(config), "plan": plan, "with_step": False, "seed": self._seed}
        running = Round(self._session, request, lambda _event: None)
        result = running.run()
        running.close()
        first, last = result["window"]["first"], result["window"]["last"]
        arrivals = [moment / 1e6 for moment in result["arrivals_us"][first : last + 1]]
        cycle = plan["cycle"]
        end = 2 * cycle
        while arrivals[end] - arrivals[0] < self._short and end + cycle < len(arrivals):
            end += cycle
        return Reading(
            result["window_samples"] / (arrivals[-1] - arrivals[0]),
            result["cpu"]["foreign_cores"] or 0.0,
            halves(arrivals, cycle),
            result["memory"]["shared_memory_bytes"],
            end * config.batch_size / (arrivals[end] - arrivals[0]),
            arrivals[-1] - arrivals[end],
        )

    def close(self) -> None:
        """Nothing is open between rounds."""


class KeptOpen:
    """The loaders stay open and are read in turn; what waited in a queue is dropped before each window.

    ``settled``: before a loader is read, the others' workers have filled their queues and sleep. Without it the loader
    that was read last goes on filling its queue, which takes CPU from the next one's window.
    """

    def __init__(self, session: Session, configs: list[LoaderConfig], seed: int, settled: bool, window: float) -> None:
        self._settled, self._window = settled, window
        child_deaths.heed()
        self._open: list[OpenLoader] = []
        for config in configs:
            self._open.append(OpenLoader(session, config, seed))
            self._open[-1].warm_up()

    def read(self, index: int) -> Reading:
        if self._settled:
            for other in self._open:
                if other is not self._open[index]:
                    other.wait_until_full()
        return self._open[index].turn(self._window)

    def close(self) -> None:
        child_deaths.ignore()
        for loader in self._open:
            loader.close()


class OpenLoader:
    def __init__(self, session: Session, config: LoaderConfig, seed: int) -> None:
        self._config = config
        self._cycle = max(1, config.num_workers)
        self._loader = loading.build_loader(session.source, config, seed, session.worker_start)
        self._begun = perf_counter_ns()
        self._iterator = iter(self._loader)

    def warm_up(self) -> None:
        """By the rules of a round, once."""
        workers = self._config.num_workers
        next(self._iterator)
        origin = perf_counter_ns() if workers else self._begun
        batches, least = 1, 500_000_000 if workers else 1_500_000_000
        while batches < self._cycle or perf_counter_ns() - origin < least:
            next(self._iterator)
            batches += 1

    def wait_until_full(self) -> None:
        """Returns when all that was asked of the workers waits in the queue: they sleep then."""
        if self._config.num_workers == 0:
            return
        deadline = perf_counter() + FILL_SECONDS
        while self._iterator._worker_result_queue.qsize() < self._iterator._tasks_outstanding:
            if perf_counter() > deadline:
                raise TimeoutError(f"the queue of {self._config} was not full after {FILL_SECONDS} s")
            time.sleep(POLL_SECONDS)

    def turn(self, seconds: float) -> Reading:
        workers, iterator = self._config.num_workers, self._iterator
        dropped = workers * (self._config.prefetch_factor or 2) + workers if workers else 1
        plan = Plan(dropped, 0, round(seconds * 1e6), self._cycle, 2, 10_000_000)
        meter = usage.CpuMeter()
        for _ in range(dropped):
            next(iterator)
        samples, arrivals = 0, [0]
        next(iterator)
        arrivals[0] = perf_counter_ns()
        meter.begin()
        while not plan.closes(len(arrivals) - 1, (arrivals[-1] - arrivals[0]) // 1000):
            samples += count_samples(next(iterator))
            arrivals.append(perf_counter_ns())
        took = (arrivals[-1] - arrivals[0]) / 1e9
        foreign = meter.end(took)["foreign_cores"] or 0.0
        return Reading(samples / took, foreign, halves([moment / 1e9 for moment in arrivals], self._cycle))

    def close(self) -> None:
        loading.close(self._loader, self._iterator)


def halves(arrivals: list[float], cycle: int) -> float:
    """Rate of the last whole cycles of a window over that of its first ones."""
    cycles = (len(arrivals) - 1) // cycle
    span = cycles // 2 * cycle
    return (arrivals[span] - arrivals[0]) / (arrivals[-1] - arrivals[-1 - span])


WAYS = ("rebuilt", "kept", "settled")


def run_block(
    way: str, session: Session, configs: list[LoaderConfig], seconds: float, window: float, order: random.Random
) -> Block:
    """Paired rounds, each in random order, for as long as the next one probably ends in time; two at least."""
    block, begun, seed = Block(way), perf_counter(), order.randrange(1 << 30)
    reader: Any
    if way == "rebuilt":
        reader = Rebuilt(session, configs, seed, window)
    else:
        reader = KeptOpen(session, configs, seed, way == "settled", window)
    first = perf_counter()
    try:
        while True:
            now = perf_counter()
            done = len(block.rounds)
            if done >= 2 and now - begun + (now - first) / done > seconds:
                break
            readings: dict[int, Reading] = {}
            for index in order.sample(range(len(configs)), len(configs)):
                readings[index] = reader.read(index)
            inside = [readings[index] for index in range(len(configs))]
            block.rounds.append(
                PairedRound(
                    [reading.rate for reading in inside],
                    perf_counter() - now,
                    max(reading.foreign_cores for reading in inside),
                    [reading.halves for reading in inside],
                    [reading.short_rate for reading in inside],
                    sum(reading.short_saves for reading in inside),
                )
            )
            block.shared_memory_bytes = max(
                block.shared_memory_bytes, *(reading.shared_memory_bytes for reading in inside)
            )
        if way != "rebuilt":
            block.shared_memory_bytes = usage.memory()["shared_memory_bytes"]
    finally:
        reader.close()
    block.seconds = perf_counter() - begun
    return block
