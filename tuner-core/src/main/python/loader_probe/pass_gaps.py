"""The pauses between passes over an iterable of batches, which are in no window: arithmetic only."""

from __future__ import annotations

from loader_probe.window import Plan


class PassGaps:
    """Says which batches around a pause do not count, so that whole cycles of every pass do and nothing else.

    Workers begin a pass all at once, and its last cycle is seldom whole. So what follows the last whole
    cycle of a pass is left out, and of the next pass as many batches as a loader's warm-up has and the one after them,
    from whose arrival time goes on. Passes too short for a whole cycle besides are counted with their pauses.
    """

    def __init__(self, plan: Plan) -> None:
        self._cycle = plan.cycle
        self._warmup = -(-plan.warmup_batches // plan.cycle) * plan.cycle
        self._goes_on_from = self._warmup
        self._to_leave_out = 0
        self._begins = False
        self._pauses_ns: list[int] = []
        self._too_short = False

    def pass_ended(self, recorded: int) -> int:
        """How many of the batches recorded so far are kept, now that another pass begins."""
        last = recorded - 1
        if self._to_leave_out or last - self._goes_on_from < self._cycle:
            self._too_short = True
        if self._too_short:
            self._to_leave_out = 0
            return recorded
        self._goes_on_from = last // self._cycle * self._cycle
        self._to_leave_out = self._warmup + 1
        self._begins = True
        return self._goes_on_from + 1

    def leaves_out(self, waited_ns: int) -> bool:
        """Whether the batch that has come, after such a wait, does not count."""
        if not self._to_leave_out:
            return False
        if self._begins:
            self._pauses_ns.append(waited_ns)
            self._begins = False
        self._to_leave_out -= 1
        return True

    @property
    def seconds(self) -> float | None:
        """From the last batch of one pass to the first of the next, the median; None where no pause was left out."""
        if self._too_short or not self._pauses_ns:
            return None
        return sorted(self._pauses_ns)[len(self._pauses_ns) // 2] / 1e9
