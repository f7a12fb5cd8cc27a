"""The pauses between passes over an iterable of batches, which are in no window: arithmetic only."""

from __future__ import annotations

from loader_probe.window import Plan


class PassGaps:
    """Says which batches around a pause do not count, so that whole cycles of every pass do and nothing else.

    Workers begin a pass all at once, and its last cycle is seldom whole. So what follows the last whole
    cycle of a pass is left out, and of the next pass as many batches as a loader's warm-up has and the one after them,
    from whose arrival time goes on. A pass too short for a whole cycle besides is left out altogether, unless it is the
    first: then every pass is counted with its pause.

    Once time has stood still for longer than the longest window, a round has to end, and pauses count from the next one
    on. A pass begins with the first worker. So that batches keep the places of their workers, of such a pass as many
    do not count as there are after the last whole cycle; after a pass that has no more than these, all count.
    """

    def __init__(self, plan: Plan) -> None:
        self._cycle = plan.cycle
        self._warmup = -(-plan.warmup_batches // plan.cycle) * plan.cycle
        self._most_us = plan.max_window_us
        self._to_leave_out = 0
        self._first = True
        self._begins = False
        self._pauses_ns: list[int] = []
        self._too_short = False
        self._exceeded = False
        self._recorded = 0

    def pass_ended(self, recorded: int, left_out_us: int) -> int:
        """How many of the batches recorded so far are kept, now that another pass begins.

        ``left_out_us``: for how long time has stood still in the round so far.
        """
        if self._first:
            self._first = False
            self._too_short = recorded <= self._warmup + self._cycle
        elif self._exceeded and recorded == self._recorded:
            self._too_short = True
        if self._too_short:
            self._to_leave_out = 0
            return recorded
        self._exceeded = self._exceeded or left_out_us > self._most_us
        if self._exceeded:
            self._recorded = recorded
            self._to_leave_out = recorded % self._cycle
            return recorded
        self._to_leave_out = self._warmup + 1
        self._begins = True
        return (recorded - 1) // self._cycle * self._cycle + 1

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
    def pauses_count(self) -> bool:
        """Whether pauses are no longer left out: time then goes on over batches that do not count."""
        return self._too_short or self._exceeded

    @property
    def seconds(self) -> float | None:
        """From the last batch of one pass to the first of the next, the median; None where pauses count or none was."""
        if self.pauses_count or not self._pauses_ns:
            return None
        return sorted(self._pauses_ns)[len(self._pauses_ns) // 2] / 1e9
