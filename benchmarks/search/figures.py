"""From many searches' ends to the figures of a table, in the words of `replay --json`."""

from __future__ import annotations

import math
import statistics
from typing import Any

from optimisers import End
from replay import Config, Seen


def figures(
    ends: list[End], truths: dict[Config, Seen], configs: tuple[Config, ...], baseline: Config
) -> dict[str, Any]:
    """Regret against the best of `configs`; gains against the baseline; both of the rates without noise."""
    best = max(truths[config].truth for config in configs)
    start = truths[baseline].truth
    ended = [truths[config].truth for config, _ in ends]
    return {
        "studies": len(ends),
        "regret_percent": quantiles([100 * (1 - rate / best) for rate in ended]),
        "seconds": quantiles([seconds for _, seconds in ends]),
        "available_gain_percent": 100 * (best / start - 1),
        "half_of_gain": statistics.mean(rate >= math.sqrt(start * best) * (1 - 1e-12) for rate in ended),
        "worse_than_baseline": statistics.mean(rate < start for rate in ended),
        "loses_over_three_percent": statistics.mean(rate < 0.97 * start for rate in ended),
    }


def quantiles(values: list[float]) -> dict[str, float]:
    cuts = statistics.quantiles(values, n=20, method="inclusive")
    return {"median": cuts[9], "p90": cuts[17], "p95": cuts[18]}
