"""Pauses between passes over an iterable of batches: what counts of a round, and what does not."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import torch
from conftest import NO_WORKERS, SHORT_PLAN, TWO_WORKERS, Probe, python_source, seconds_per_batch, session_over
from loader_probe import rounds
from loader_probe.rounds import Round

Start = Callable[..., Probe]


class ClumpsInPasses:
    """Two workers' batches at a time, every 20 ms of a clock that nothing else moves, and a pause before every pass.

    The lengths of the passes are given; the last of them is that of all further ones.
    """

    def __init__(self, *lengths: int, pause_ns: int) -> None:
        self.lengths = list(lengths)
        self.pause_ns = pause_ns
        self.now_ns = 0
        self.worker = 0

    def clock(self) -> int:
        return self.now_ns

    def __iter__(self) -> Iterator[torch.Tensor]:
        self.now_ns += self.pause_ns
        for batch in range(self.lengths.pop(0) if len(self.lengths) > 1 else self.lengths[0]):
            self.worker = batch % 2
            self.now_ns += 20_000_000 if self.worker == 0 else 0
            yield torch.zeros(4)


def round_over(batches: ClumpsInPasses, folder: Path, patch: pytest.MonkeyPatch, min_cycles: int = 8) -> dict[str, Any]:
    """So many cycles of two batches, measured by the clock of the batches."""
    patch.setattr(rounds, "perf_counter_ns", batches.clock)
    patch.setattr(rounds.child_deaths, "set_aside", nullcontext)
    request = {"config": TWO_WORKERS, "plan": {**SHORT_PLAN, "min_cycles": min_cycles}, "id": 1}
    measured = Round(session_over("batches", folder), request, lambda event: None)
    measured._copying = SimpleNamespace(begin=lambda: None, end=lambda: None)
    measured._loader = batches
    measured._iterator = iter(batches)
    return measured._result(None, measured._measure())


@pytest.mark.parametrize("batches", [5, 6, 9, 12, 40])
def test_the_pause_between_passes_is_left_out_of_the_rate_to_the_microsecond(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, batches: int
) -> None:
    result = round_over(ClumpsInPasses(batches, pause_ns=700_000_000), tmp_path, monkeypatch)

    window = result["window"]
    assert seconds_per_batch(result) == 0.01
    assert (window["last"] - window["first"]) % 2 == 0
    assert window["last"] == len(result["arrivals_us"]) - 1
    assert result["window_samples"] == 4 * (window["last"] - window["first"])
    assert result["wait_seconds"] == pytest.approx(0.16)
    # 40 batches are more than the round takes.
    assert result["epoch_gap_seconds"] == (None if batches == 40 else 0.72)


def test_passes_too_short_for_a_cycle_of_their_own_are_counted_with_their_pauses(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    result = round_over(ClumpsInPasses(4, pause_ns=700_000_000), tmp_path, monkeypatch)

    # Four batches in 740 ms, from the third of one pass to that of another.
    assert seconds_per_batch(result) == pytest.approx(0.74 / 4)
    assert result["epoch_gap_seconds"] is None


# After the first three batches of a pass one counts of a pass of 4, and is cut off; shorter ones have none.
@pytest.mark.parametrize("lengths", [(9, 4, 7, 3, 20), (10, 1, 2, 3, 4, 9, 8, 3, 7)])
def test_a_pass_too_short_among_longer_ones_is_left_out_to_the_microsecond(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lengths: tuple[int, ...]
) -> None:
    source = ClumpsInPasses(*lengths, pause_ns=700_000_000)

    result = round_over(source, tmp_path, monkeypatch)

    assert result["window"] == {"first": 2, "last": 18}
    assert len(result["arrivals_us"]) == 19
    assert seconds_per_batch(result) == 0.01
    assert source.worker == 0
    assert result["window_samples"] == 4 * 16
    assert result["wait_seconds"] == pytest.approx(0.16)
    assert result["epoch_gap_seconds"] == 0.72


def test_many_short_passes_with_long_pauses_end_since_pauses_count_once_the_longest_window_was_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = ClumpsInPasses(5, pause_ns=1_200_000_000)

    result = round_over(source, tmp_path, monkeypatch, min_cycles=40)

    # A pass is 1.26 s. Of the second to the sixth 1.24 s are left out, 6.2 s in all and more than 5 s: one cycle each
    # counts besides the first pass's two, up to the batch 14 at 1.36 s. Then every pass adds 1.26 s and four batches.
    # 5 s after the window has opened, at 1.24 s, the tenth pass's third batch is the first that ends a cycle.
    assert result["window"] == {"first": 2, "last": 28}
    assert result["arrivals_us"][14:19] == [1_360_000, 2_580_000, 2_600_000, 2_600_000, 2_620_000]
    assert result["arrivals_us"][28] - result["arrivals_us"][2] == 5_140_000
    assert source.now_ns == 9 * 1_260_000_000 + 1_240_000_000
    assert source.worker == 0
    assert result["wait_seconds"] == pytest.approx(5.14)
    assert result["epoch_gap_seconds"] is None


def test_passes_too_short_to_keep_the_workers_places_end_a_round_nevertheless(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = ClumpsInPasses(5, 5, 5, 5, 5, 5, 1, pause_ns=1_200_000_000)

    result = round_over(source, tmp_path, monkeypatch, min_cycles=40)

    # As above up to the batch 14. The seventh pass's only batch does not count, every further one does after 1.22 s.
    assert result["arrivals_us"][14:] == [1_360_000, 3_800_000, 5_020_000, 6_240_000, 7_460_000]
    assert result["window"] == {"first": 2, "last": 18}
    assert source.now_ns == 6 * 1_260_000_000 + 5 * 1_220_000_000
    assert result["wait_seconds"] == pytest.approx(7.46 - 1.24)


def test_passes_too_short_after_the_first_end_a_round_though_none_of_their_batches_counts_at_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = ClumpsInPasses(5, 4, pause_ns=1_200_000_000)

    result = round_over(source, tmp_path, monkeypatch, min_cycles=40)

    # A pass is 1.24 s, all of them left out of the second to the sixth, whose last batch has the index 5 and counts, as
    # time is to go on. Then every pass adds 1.24 s and four batches; the first cycle 5 s after 1.24 s ends at 7.44 s.
    assert result["arrivals_us"][4:10] == [1_260_000, 1_260_000, 2_480_000, 2_480_000, 2_500_000, 2_500_000]
    assert result["window"] == {"first": 2, "last": 22}
    assert result["arrivals_us"][22] == 7_440_000
    assert source.now_ns == 1_260_000_000 + 9 * 1_240_000_000 + 1_220_000_000
    assert source.worker == 0


def test_a_known_pause_between_passes_is_told_and_not_in_the_rate(start: Start) -> None:
    source = python_source("wild_findings:passes", batches=20, milliseconds=10, pause_milliseconds=1000)
    probe = start("inline", source)

    result = probe.round(NO_WORKERS, {**SHORT_PLAN, "cycle": 1, "min_cycles": 30})["result"]
    gap = probe.ask("epoch_gap", config=NO_WORKERS)["result"]

    # 30 batches are more than a pass: with a pause in the window each would take 40 ms at least.
    assert 0.01 <= seconds_per_batch(result) < 0.03
    assert 1.0 <= result["epoch_gap_seconds"] < 2.0
    assert gap == {"epoch_gap_seconds": result["epoch_gap_seconds"]}
    assert probe.ask("epoch_gap", config={**NO_WORKERS, "batch_size": 8})["result"] == {"epoch_gap_seconds": None}
