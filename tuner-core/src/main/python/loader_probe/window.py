"""The rule that says when a round has been long enough: arithmetic only.

The window itself is worked out from the arrivals by the tuner, by the same rule. So durations are in the unit of the
arrivals, whole microseconds: both then see the same numbers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from loader_probe.failures import ProbeFailure

_MICROS = 1_000_000


@dataclass(frozen=True)
class Plan:
    """Warm-up and window of a round. ``cycle`` is in batches; durations are in microseconds."""

    warmup_batches: int
    warmup_us: int
    window_us: int
    cycle: int
    min_cycles: int
    max_window_us: int

    @classmethod
    def of(cls, plan: dict[str, Any]) -> Plan:
        """Reads the request's ``plan``; ``runner_error`` where it is incomplete or makes no sense."""
        try:
            read = cls(
                warmup_batches=int(plan["warmup_batches"]),
                warmup_us=round(plan["warmup_seconds"] * _MICROS),
                window_us=round(plan["window_seconds"] * _MICROS),
                cycle=int(plan["cycle"]),
                min_cycles=int(plan["min_cycles"]),
                max_window_us=round(plan["max_window_seconds"] * _MICROS),
            )
        except (KeyError, TypeError, ValueError) as error:
            raise ProbeFailure("runner_error", f"the plan of the round cannot be read: {error!r}") from None
        if read.cycle < 1 or read.min_cycles < 1 or read.warmup_batches < 0:
            raise ProbeFailure("runner_error", "cycle and min_cycles of a plan are 1 or more, warmup_batches 0 or more")
        return read

    def opens(self, index: int, since_origin_us: int) -> bool:
        """Whether the window opens with batch ``index``, which arrived that long after the origin.

        Only a cycle's first batch opens one: the first batch of any worker after a given time mostly follows the gap
        between two clumps of batches, and a window that always leaves such a gap out finds too high a rate.
        """
        return index % self.cycle == 0 and index >= self.warmup_batches and since_origin_us >= self.warmup_us

    def closes(self, batches: int, open_us: int) -> bool:
        """Whether the window, open for that many batches and that long, closes with this batch."""
        if batches < 1 or batches % self.cycle:
            return False
        if open_us >= self.max_window_us:
            return True
        return batches >= self.cycle * self.min_cycles and open_us >= self.window_us
