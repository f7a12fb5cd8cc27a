"""A round of one rank among several: all begin together and are measured over the same time."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter_ns
from typing import Any

from loader_probe import usage
from loader_probe.batches import count_samples
from loader_probe.meeting import CLOSED, HERE, SATISFIED, WARM, Meeting
from loader_probe.rounds import PROGRESS_NS, Round, StepError
from loader_probe.session import Session
from loader_probe.window import Plan


class CommonWindow:
    """When a rank's window opens and closes: arithmetic only.

    It opens on a cycle's first batch once every rank is warm, and closes at a whole cycle once every rank has enough.
    So each holds the time between these two moments, which is the same for all, and is longer by less than a cycle at
    either end.
    """

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._opened_us = 0
        self.stage = HERE
        self.first = self.last = -1

    def takes(self, index: int, arrival_us: int, since_origin_us: int, least: int) -> bool:
        """Whether batch ``index`` is an edge of the window, ``least`` being how far the least far rank is."""
        plan = self._plan
        if self.stage == HERE and plan.opens(index, since_origin_us):
            self.stage = WARM
        elif self.stage == WARM and self.first < 0 and least >= WARM and index % plan.cycle == 0:
            self.first, self._opened_us = index, arrival_us
            return True
        elif self.stage == WARM and self.first >= 0 and plan.closes(index - self.first, arrival_us - self._opened_us):
            self.stage = SATISFIED
        elif self.stage == SATISFIED and least >= SATISFIED and (index - self.first) % plan.cycle == 0:
            self.last, self.stage = index, CLOSED
            return True
        return False


class RankedRound(Round):
    """With a step, ranks take every step together, as training with a gradient all-reduce does; without one each
    loads as fast as it can until the last one's window has closed."""

    def __init__(self, session: Session, request: dict[str, Any], send: Callable[[dict[str, Any]], None]) -> None:
        super().__init__(session, request, send)
        self._folder = request["meeting"]
        self._pass_began = 0
        self._batches_per_pass: int | None = None

    def _still_waiting(self) -> None:
        delivered = len(self._record.arrivals)
        self._progress("measuring" if delivered else "starting", delivered)

    def close(self) -> dict[str, Any]:
        self._meeting.close()
        return super().close()

    def _start(self) -> None:
        assert self._session.source.rank is not None
        self._meeting = Meeting(self._folder, self._session.source.rank, self._still_waiting)
        self._meeting.gather()
        super()._start()

    def _begin_again(self) -> Any:
        iterator = super()._begin_again()
        delivered = len(self._record.arrivals)
        self._batches_per_pass, self._pass_began = delivered - self._pass_began, delivered
        return iterator

    def _measure(self) -> dict[str, Any]:
        record, device, step, meeting = self._record, self._session.device, self._step, self._meeting
        arrivals, waits, begun = record.arrivals, record.waits, record.iter_at
        window = CommonWindow(self._plan)
        iterator = self._iterator
        origin = next_progress = 0
        meter = usage.CpuMeter()
        cpu: dict[str, Any] = {}
        done = record.ready_at
        while True:
            try:
                batch = next(iterator)
            except StopIteration:
                iterator = self._begin_again()
                continue
            record.counts.append(count_samples(batch, len(arrivals), self._otherwise))
            wait = perf_counter_ns() - done
            batch = device.move(batch, self._config.non_blocking)
            if step is None:
                least = meeting.least()
            else:
                moved = perf_counter_ns()
                least = meeting.step_together(window.stage)
                # Another rank's loader is waited for here.
                wait += perf_counter_ns() - moved
                try:
                    step(batch)
                except BaseException as error:
                    raise StepError(error) from error
            waits.append(wait)
            device.pace()
            index = len(arrivals)
            if index == 0:
                device.synchronise()
                record.first_at = perf_counter_ns()
                meter = usage.CpuMeter()
            done = perf_counter_ns()
            arrival = (done - begun) // 1000
            arrivals.append(arrival)
            if index == 0:
                origin = arrival if self._config.num_workers else 0
            if window.takes(index, arrival, arrival - origin, least):
                device.synchronise()
                done = perf_counter_ns()
                arrivals[index] = (done - begun) // 1000
                if window.last < 0:
                    meter.begin()
                else:
                    record.first, record.last = window.first, window.last
                    cpu = meter.end((arrivals[record.last] - arrivals[record.first]) / 1e6)
            if window.stage == CLOSED and step is not None:
                return cpu
            if step is None:
                meeting.tell(window.stage)
                if meeting.least() == CLOSED:
                    return cpu
            if done >= next_progress:
                self._progress("measuring", index + 1)
                next_progress = done + PROGRESS_NS

    def _result(self, effective: dict[str, Any] | None, cpu: dict[str, Any]) -> dict[str, Any]:
        return {
            **super()._result(effective, cpu),
            "clock_us": self._record.iter_at // 1000,
            "batches_per_pass": self._batches_per_pass,
        }
