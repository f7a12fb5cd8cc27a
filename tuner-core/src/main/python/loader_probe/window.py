"""The rule that says which batches are measured: arithmetic only."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from loader_probe.failures import ProbeFailure

_NANOS = 1_000_000_000


@dataclass(frozen=True)
class Plan:
    """Warm-up and window of a round. ``cycle`` is in batches; durations are in nanoseconds."""

    warmup_batches: int
    warmup_ns: int
    window_ns: int
    cycle: int
    min_cycles: int
    max_window_ns: int

    @classmethod
    def of(cls, plan: dict[str, Any]) -> Plan:
        """Reads the request's ``plan``; ``runner_error`` where it is incomplete or makes no sense."""
        try:
            read = cls(
                warmup_batches=int(plan["warmup_batches"]),
                warmup_ns=round(plan["warmup_seconds"] * _NANOS),
                window_ns=round(plan["window_seconds"] * _NANOS),
                cycle=int(plan["cycle"]),
                min_cycles=int(plan["min_cycles"]),
                max_window_ns=round(plan["max_window_seconds"] * _NANOS),
            )
        except (KeyError, TypeError, ValueError) as error:
            raise ProbeFailure("runner_error", f"the plan of the round cannot be read: {error!r}") from None
        if read.cycle < 1 or read.min_cycles < 1 or read.warmup_batches < 0:
            raise ProbeFailure("runner_error", "cycle and min_cycles of a plan are 1 or more, warmup_batches 0 or more")
        return read

    def opens(self, index: int, since_origin_ns: int) -> bool:
        """Whether the window opens with batch ``index``, which arrived that long after the origin."""
        return index >= self.warmup_batches and since_origin_ns >= self.warmup_ns

    def closes(self, batches: int, open_ns: int) -> bool:
        """Whether the window, open for that many batches and that long, closes with this batch."""
        if batches < 1 or batches % self.cycle:
            return False
        if open_ns >= self.max_window_ns:
            return True
        return batches >= self.cycle * self.min_cycles and open_ns >= self.window_ns
