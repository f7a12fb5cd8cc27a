"""The window's arithmetic, by numbers alone."""

from __future__ import annotations

import pytest
from loader_probe.failures import ProbeFailure
from loader_probe.window import Plan

MS = 1_000_000


def plan(**changes: float) -> Plan:
    values = {
        "warmup_batches": 4,
        "warmup_seconds": 0.5,
        "window_seconds": 1.0,
        "cycle": 3,
        "min_cycles": 2,
        "max_window_seconds": 10.0,
    }
    return Plan.of({**values, **changes})


def window_of(arrivals_ms: list[int], measured: Plan) -> tuple[int, int] | None:
    """The window of a loader with workers whose batches arrived at these times."""
    first = None
    for index, arrival in enumerate(arrivals_ms):
        if first is None:
            if measured.opens(index, (arrival - arrivals_ms[0]) * MS):
                first = index
        elif measured.closes(index - first, (arrival - arrivals_ms[first]) * MS):
            return first, index
    return None


@pytest.mark.parametrize(
    ("batch_ms", "expected"),
    [
        (100, (5, 17)),  # 0.5 s of warm-up is longer than 4 batches; 1.0 s is 10 batches, so 12 are taken
        (1000, (4, 10)),  # 4 batches are longer than 0.5 s; two cycles are longer than 1.0 s
        (1, (500, 1502)),  # 1000 batches are no whole number of cycles
        (3000, (4, 10)),  # two cycles take 18 s, but the first whole cycle after 10 s is the second
        (5000, (4, 7)),  # one cycle takes 15 s: no more than that
    ],
)
def test_the_window_is_whole_cycles_long(batch_ms: int, expected: tuple[int, int]) -> None:
    arrivals = [1000 + batch_ms * index for index in range(2000)]

    assert window_of(arrivals, plan()) == expected


def test_the_window_opens_with_the_first_batch_where_no_warm_up_is_asked_for() -> None:
    assert window_of([0, 600, 1200], plan(warmup_batches=0, warmup_seconds=0, cycle=1)) == (0, 2)


def test_bursts_do_not_end_the_window_in_mid_cycle() -> None:
    arrivals = [burst * 400 + place for burst in range(20) for place in range(3)]

    first, last = window_of(arrivals, plan()) or (0, 0)

    assert (last - first) % 3 == 0
    assert arrivals[last] - arrivals[first] >= 1000


@pytest.mark.parametrize("broken", [{"cycle": 0}, {"min_cycles": 0}, {"warmup_batches": None}])
def test_a_plan_that_makes_no_sense_is_refused(broken: dict) -> None:
    with pytest.raises(ProbeFailure) as raised:
        plan(**broken)

    assert raised.value.reason == "runner_error"
