"""One round: a loader is built, warmed up and measured over an aligned window. Nothing but the clock is in the way."""

from __future__ import annotations

import contextlib
import math
import os
from collections.abc import Callable
from dataclasses import dataclass, field
from time import perf_counter_ns
from typing import Any

from loader_probe import cgroups, child_deaths, loading, passes, pickled_size, usage
from loader_probe.batches import count_samples
from loader_probe.copying import CopyMeter
from loader_probe.failures import Context, ProbeFailure, classify
from loader_probe.loading import LoaderConfig
from loader_probe.pass_gaps import PassGaps
from loader_probe.session import Session
from loader_probe.window import Plan

PROGRESS_NS = 500_000_000


@dataclass
class Record:
    """What a round saw, one entry per batch. Arrivals are in microseconds since ``iter()``, the rest in nanoseconds.

    Time stands still in arrivals while a pause between passes over an iterable of batches is left out. Where it goes on
    over batches that do not count, the waits for them are in the wait for the next. The first batch came at
    ``first_at``; its arrival is when the meters were ready that begin with it.
    """

    arrivals: list[int] = field(default_factory=list)
    waits: list[int] = field(default_factory=list)
    counts: list[int] = field(default_factory=list)
    build_at: int = 0
    iter_at: int = 0
    ready_at: int = 0
    first_at: int = 0
    first: int = 0
    last: int = 0


class Round:
    """Runs one ``round`` request. ``send`` takes events; the caller sends what ``run`` returns."""

    def __init__(self, session: Session, request: dict[str, Any], send: Callable[[dict[str, Any]], None]) -> None:
        self._session = session
        self._config = LoaderConfig.of(request["config"])
        self._plan = Plan.of(request["plan"])
        self._seed = int(request.get("seed", 0))
        self._step = session.step if request.get("with_step", True) else None
        self._identity = request["id"]
        self._send = send
        self._record = Record()
        self._loader: Any = None
        self._iterator: Any = None
        self._otherwise = session.source.samples_of_a_scalar
        self._pickled = pickled_size.Pickled()
        self._copying = CopyMeter()
        self._gaps = PassGaps(self._plan)
        self._left_out = 0
        self._oom_kills = cgroups.oom_kills()
        with contextlib.suppress(FileNotFoundError):
            os.unlink(session.worker_start.notes_path)

    def run(self) -> dict[str, Any]:
        """Measures and returns the result, while the loader is still alive. Raises ``ProbeFailure``."""
        context = Context()
        try:
            self._progress("starting", 0)
            with child_deaths.set_aside():
                self._start()
            effective = loading.effective(self._session.source, self._config, self._loader, self._iterator)
            cpu = self._measure()
            child_deaths.ignore()
            if self._gaps.seconds is not None:
                self._session.epoch_gaps[self._config] = self._gaps.seconds
            return self._result(effective, cpu)
        except BaseException as error:
            child_deaths.ignore()
            if isinstance(error, StepError):
                error, context = error.cause, Context(doing="step")
            raise classify(
                error,
                Context(
                    doing=context.doing,
                    iterator=self._iterator,
                    dataset=self._session.source.dataset,
                    own=self._session.source.own,
                    oom_kills_before=self._oom_kills,
                    notes_path=self._session.worker_start.notes_path,
                ),
            ) from error

    def close(self) -> dict[str, Any]:
        """Tears the loader down and returns the event that says so. Never fails: the result has been sent."""
        event = loading.tear_down(self._loader, self._iterator)
        self._loader = self._iterator = None
        return event

    def _start(self) -> None:
        record = self._record
        self._session.device.begin_round()
        record.build_at = perf_counter_ns()
        self._loader = loading.build_loader(self._session.source, self._config, self._seed, self._session.worker_start)
        record.iter_at = perf_counter_ns()
        with pickled_size.watched() as self._pickled:
            self._iterator = iter(self._loader)
        record.ready_at = perf_counter_ns()

    def _measure(self) -> dict[str, Any]:
        """Reads batches until the window has closed; returns the processor time used in it."""
        record, plan, device, step = self._record, self._plan, self._session.device, self._step
        arrivals, waits, counts, begun = record.arrivals, record.waits, record.counts, record.iter_at
        move, pace, non_blocking = device.move, device.pace, self._config.non_blocking
        iterator = self._iterator
        otherwise, gaps = self._otherwise, self._gaps
        opened = -1
        origin = opened_at = waited = 0
        next_progress = math.inf
        meter = usage.CpuMeter()
        done = record.ready_at
        while True:
            try:
                batch = next(iterator)
            except StopIteration:
                iterator = self._begin_again()
                kept = gaps.pass_ended(len(arrivals), (begun - record.iter_at) // 1000)
                self._left_out += len(arrivals) - kept
                del arrivals[kept:], waits[kept:], counts[kept:]
                continue
            waits.append(perf_counter_ns() - done + waited)
            counts.append(count_samples(batch, len(arrivals) + self._left_out, otherwise))
            batch = move(batch, non_blocking)
            if step is not None:
                try:
                    step(batch)
                except BaseException as error:
                    raise StepError(error) from error
            pace()
            done = perf_counter_ns()
            index = len(arrivals)
            if done >= next_progress:
                self._progress("measuring", index + self._left_out + 1)
                next_progress = done + PROGRESS_NS
            if gaps.leaves_out(waits[-1]):
                waited = waits.pop()
                del counts[-1]
                self._left_out += 1
                if not gaps.pauses_count:
                    waited = 0
                    begun = done - 1000 * arrivals[-1]
                continue
            waited = 0
            if index == 0:
                device.synchronise()
                record.first_at = perf_counter_ns()
                self._progress("measuring", 1)
                next_progress = record.first_at + PROGRESS_NS
                # Now that all workers run: a walk through /proc costs too much for the window's edge.
                meter = usage.CpuMeter()
                self._copying.begin()
                # Meanwhile the queue has filled up: the warm-up, which is to empty it, begins now.
                done = perf_counter_ns()
                origin = (done - begun) // 1000 if self._config.num_workers else 0
            arrival = (done - begun) // 1000
            arrivals.append(arrival)
            if opened < 0:
                if plan.opens(index, arrival - origin):
                    device.synchronise()
                    done = perf_counter_ns()
                    arrivals[index] = (done - begun) // 1000
                    meter.begin()
                    opened_at = done
                    opened = record.first = index
            elif plan.closes(index - opened, arrival - arrivals[opened]):
                device.synchronise()
                done = perf_counter_ns()
                arrivals[index] = (done - begun) // 1000
                record.last = index
                return meter.end((done - opened_at) / 1e9)

    def _begin_again(self) -> Any:
        """A new pass over an iterable of the user's own that has ended; the others never end of themselves."""
        delivered = len(self._record.arrivals) + self._left_out
        if self._session.source.kind != "batches":
            what = "is empty: a pass over it yields no sample" if delivered == 0 else "cannot be begun again"
            raise ProbeFailure(
                "dataset_error",
                f"the dataset {what} ({delivered} batches of {self._config.batch_size} came)",
                {"batches": delivered, "batch_size": self._config.batch_size},
            )
        if delivered == self._delivered_before:
            raise ProbeFailure(
                "dataset_error",
                f"the iterable of batches is empty: a pass over it yields nothing ({delivered} batches came before)",
                {"batches": delivered, "batch_size": self._config.batch_size},
            )
        self._delivered_before = delivered
        self._passes += 1
        with child_deaths.set_aside():
            if self._iterator is self._loader:
                # A generator can be read only once.
                self._loader = loading.build_loader(
                    self._session.source, self._config, self._seed, self._session.worker_start
                )
            passes.begin_pass(self._loader, self._passes)
            self._iterator = iter(self._loader)
        return self._iterator

    _delivered_before = 0
    _passes = 0

    def _progress(self, phase: str, batches: int) -> None:
        self._send({"id": self._identity, "event": "progress", "phase": phase, "batches": batches})

    def _result(self, effective: dict[str, Any] | None, cpu: dict[str, Any]) -> dict[str, Any]:
        record, window = self._record, slice(self._record.first + 1, self._record.last + 1)
        return {
            "startup_seconds": (record.ready_at - record.build_at) / 1e9,
            "first_batch_seconds": (record.first_at - record.ready_at) / 1e9,
            "arrivals_us": record.arrivals,
            "window": {"first": record.first, "last": record.last},
            "window_samples": sum(record.counts[window]),
            "epoch_gap_seconds": self._gaps.seconds,
            "wait_seconds": sum(record.waits[window]) / 1e9,
            "waits": _spread(record.waits[window]),
            "copied": self._copying.end(),
            "pickled_bytes": self._pickled.bytes_per_worker,
            "memory": usage.memory(),
            "gpu": self._session.device.usage(),
            "cpu": cpu,
            "effective": effective,
            "start_method": loading.start_method(self._session.source, self._config.multiprocessing_context),
        }


def _spread(waits_ns: list[int]) -> dict[str, float]:
    """Median, 95th percentile and longest of the waits for a batch: each is a wait that there was."""
    ordered = sorted(waits_ns)

    def at(share: float) -> float:
        return ordered[math.ceil(share * len(ordered)) - 1] / 1e9

    return {"p50_seconds": at(0.5), "p95_seconds": at(0.95), "max_seconds": at(1)}


class StepError(Exception):
    """Marks what the training step raised, so that it is not taken for the dataset's."""

    def __init__(self, cause: BaseException) -> None:
        super().__init__(str(cause))
        self.cause = cause
