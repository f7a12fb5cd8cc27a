"""The window's arithmetic, by numbers alone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from loader_probe.failures import ProbeFailure
from loader_probe.window import Plan

# The tuner's rule is held to the same cases by WindowRuleTest.
CASES = json.loads((Path(__file__).parent.parent / "resources" / "window" / "cases.json").read_text(encoding="utf-8"))


def plan(**changes: float) -> Plan:
    values = {
        "warmup_batches": 3,
        "warmup_seconds": 0.5,
        "window_seconds": 1.0,
        "cycle": 3,
        "min_cycles": 2,
        "max_window_seconds": 10.0,
    }
    return Plan.of({**values, **changes})


def window_of(arrivals_us: list[int], workers: int, measured: Plan) -> list[int] | None:
    """The window at which a round with these arrivals stops."""
    first = None
    for index, arrival in enumerate(arrivals_us):
        if first is None:
            if measured.opens(index, arrival - (arrivals_us[0] if workers else 0)):
                first = index
        elif measured.closes(index - first, arrival - arrivals_us[first]):
            return [first, index]
    return None


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_a_round_stops_where_the_tuner_finds_its_window(case: dict) -> None:
    measured = Plan.of(case["plan"])

    assert window_of(case["arrivals_us"], case["workers"], measured) == case["window"]


@pytest.mark.parametrize("broken", [{"cycle": 0}, {"min_cycles": 0}, {"warmup_batches": None}])
def test_a_plan_that_makes_no_sense_is_refused(broken: dict) -> None:
    with pytest.raises(ProbeFailure) as raised:
        plan(**broken)

    assert raised.value.reason == "runner_error"
