"""Memory that workers copy as they go on.

A forked worker shares its parent's memory until one of the two writes to it, and a read of a Python object is a write:
it counts the reference. So a dataset made of Python objects is copied into every worker little by little.
"""

from __future__ import annotations

import multiprocessing
from typing import Any

from loader_probe.usage import rollup

_MOST_WORKERS = 2
"""Reading what a process maps takes longer the more it is; workers are alike."""


class CopyMeter:
    """Watches a few workers of a loader between two moments."""

    def __init__(self) -> None:
        self._begun: dict[int, dict[str, int]] = {}

    def begin(self) -> None:
        """Watches the processes that were started last."""
        started = sorted(child.pid for child in multiprocessing.active_children() if child.pid is not None)
        for pid in started[-_MOST_WORKERS:]:
            memory = rollup(pid)
            if memory is not None and "Shared_Dirty" in memory:
                self._begun[pid] = memory

    def end(self) -> dict[str, Any] | None:
        """Bytes copied since, and bytes still shared, over the workers watched; None where it cannot be read.

        Memory that a worker took besides is not counted: what was shared before must have become its own.
        """
        copied = shared = workers = 0
        for pid, before in self._begun.items():
            now = rollup(pid)
            if now is None:
                continue
            no_longer_shared = before["Shared_Dirty"] - now["Shared_Dirty"]
            copied += max(0, min(no_longer_shared, now["Private_Dirty"] - before["Private_Dirty"]))
            shared += now["Shared_Dirty"]
            workers += 1
        return {"copied_bytes": copied, "shared_bytes": shared, "workers": workers} if workers else None
