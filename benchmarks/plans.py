"""The tuner's plan of a round, for benchmarks that measure as it does."""

from __future__ import annotations

from typing import Any


def exploring(num_workers: int) -> dict[str, Any]:
    """That of a first look at a config: RoundPlan.exploring."""
    return {
        "warmup_batches": max(1, num_workers),
        "warmup_seconds": 0.5 if num_workers else 1.5,
        "window_seconds": 1.0,
        "cycle": max(1, num_workers),
        "min_cycles": 2,
        "max_window_seconds": 10.0,
    }
