"""Several ranks: each its share, measured over the same time, stepping together where there is a step."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import pytest
import torch
from conftest import NO_WORKERS, TWO_WORKERS, Probe, python_source
from loader_probe.digests import leaves
from loader_probe.failures import ProbeFailure
from loader_probe.loading import require_full_batch
from loader_probe.meeting import CLOSED, HERE, SATISFIED, WARM
from loader_probe.ranked_round import CommonWindow
from loader_probe.ranks import EndlessShare, Rank
from loader_probe.session import open_session
from loader_probe.sources import build_source, divide
from loader_probe.window import Plan

PLAN = {
    "warmup_batches": 2,
    "warmup_seconds": 0.0,
    "window_seconds": 0.2,
    "cycle": 2,
    "min_cycles": 2,
    "max_window_seconds": 5.0,
}
PLAN_WITHOUT_WORKERS = {**PLAN, "cycle": 1}


def open_ranks(start: Any, role: str, source: dict[str, Any], step: dict[str, Any] | None = None) -> list[Probe]:
    probes = [start(role) for _ in range(2)]
    asked = [
        probe.send("open", source=source, step=step, device="cpu", seed=7, rank=rank, world_size=2)
        for rank, probe in enumerate(probes)
    ]
    for probe, identity in zip(probes, asked):
        answer = probe.until(identity, "result", "error")
        assert "result" in answer, answer
    return probes


def measure(probes: list[Probe], folder: Path, config: dict[str, Any], plan: dict[str, Any], with_step: bool) -> list:
    folder.mkdir()
    asked = [
        probe.send("round", config=config, plan=plan, with_step=with_step, seed=7, meeting=str(folder))
        for probe in probes
    ]
    answers = [probe.until(identity, "result", "error") for probe, identity in zip(probes, asked)]
    for answer, probe, identity in zip(answers, probes, asked):
        assert "result" in answer, answer
        probe.until(identity, "shutdown_seconds")
    assert not folder.exists()
    return [answer["result"] for answer in answers]


def edges(result: dict[str, Any]) -> tuple[int, int]:
    """When the window opened and closed, on the clock that all processes share."""
    window, arrivals = result["window"], result["arrivals_us"]
    return result["clock_us"] + arrivals[window["first"]], result["clock_us"] + arrivals[window["last"]]


def rate(result: dict[str, Any]) -> float:
    opened, closed = edges(result)
    return result["window_samples"] / (closed - opened) * 1e6


def test_every_rank_gets_as_many_samples_and_no_sample_twice() -> None:
    passes = []
    for rank in range(2):
        share = iter(EndlessShare(7, Rank(rank, 2), seed=3))
        passes.append([list(itertools.islice(share, 3)) for _ in range(2)])
    for number in range(2):
        first, second = passes[0][number], passes[1][number]
        assert len(set(first) | set(second)) == 6
    assert passes[0][0] + passes[1][0] != passes[0][1] + passes[1][1], "every pass has another order"


def test_ranks_take_the_gpus_in_turn() -> None:
    assert [Rank(rank, 5).gpu(2) for rank in range(5)] == [0, 1, 0, 1, 0]
    assert [Rank(rank, 3).gpu(8) for rank in range(3)] == [0, 1, 2]


def test_a_window_waits_for_every_rank_and_keeps_to_its_cycle() -> None:
    plan = Plan(warmup_batches=2, warmup_us=0, window_us=30, cycle=2, min_cycles=1, max_window_us=1000)
    window = CommonWindow(plan)
    # Batches 10 µs apart. Warm with batch 2, the others with batch 5; enough with batch 10, the others with batch 11.
    least = {**dict.fromkeys(range(5), HERE), **dict.fromkeys(range(5, 11), WARM), 11: SATISFIED, 12: SATISFIED}
    taken = [index for index in range(13) if window.takes(index, index * 10, index * 10, least[index])]
    assert taken == [6, 12]
    assert (window.first, window.last, window.stage) == (6, 12, CLOSED)


def test_without_a_step_ranks_run_free_over_the_same_time(start: Any, tmp_path: Path) -> None:
    # Batches of 4 samples at 5 and at 20 ms a sample: one every 20 ms and one every 80 ms.
    source = python_source("wild_ranks:by_rank", milliseconds=[5.0, 20.0])
    probes = open_ranks(start, "inline", source)
    quick, slow = measure(probes, tmp_path / "meeting", NO_WORKERS, PLAN_WITHOUT_WORKERS, with_step=False)

    assert rate(quick) > 2.5 * rate(slow)
    assert rate(slow) <= 50
    (quick_opened, quick_closed), (slow_opened, slow_closed) = edges(quick), edges(slow)
    common = min(quick_closed, slow_closed) - max(quick_opened, slow_opened)
    assert common >= 200_000, "the time in which both were measured is a whole window"
    # Both load until the other's window has closed.
    for own, other in ((quick, slow_closed), (slow, quick_closed)):
        assert own["clock_us"] + own["arrivals_us"][-1] >= other


def test_with_a_step_ranks_step_together(start: Any, tmp_path: Path) -> None:
    source = python_source("wild_ranks:by_rank", milliseconds=[0.0, 10.0])
    probes = open_ranks(start, "warm", source, step={"milliseconds": 1})
    # Two workers at 10 ms a sample deliver a batch of 4 every 20 ms; the other rank could have one every millisecond.
    first, second = measure(probes, tmp_path / "meeting", TWO_WORKERS, PLAN, with_step=True)

    assert first["window"] == second["window"]
    assert first["window_samples"] == second["window_samples"]
    assert (first["window"]["last"] - first["window"]["first"]) % 2 == 0
    assert rate(first) <= 220
    # What is waited for is the other rank's batch.
    assert first["wait_seconds"] > 0.5 * (edges(first)[1] - edges(first)[0]) / 1e6


def test_unequal_batches_per_rank(start: Any, tmp_path: Path) -> None:
    source = python_source("wild_ranks:unequal", batches=[3, 5])
    probes = open_ranks(start, "inline", source, step={"milliseconds": 1})
    first, second = measure(probes, tmp_path / "meeting", NO_WORKERS, PLAN_WITHOUT_WORKERS, with_step=True)

    assert first["window"] == second["window"]
    assert (first["batches_per_pass"], second["batches_per_pass"]) == (3, 5)


def test_a_rank_that_waits_for_a_dead_one_says_that_it_lives(start: Any, tmp_path: Path) -> None:
    probes = open_ranks(start, "inline", python_source("wild_ranks:by_rank"))
    (tmp_path / "meeting").mkdir()
    folder = str(tmp_path / "meeting")
    plan = PLAN_WITHOUT_WORKERS
    identity = probes[0].send("round", config=NO_WORKERS, plan=plan, seed=7, meeting=folder)
    lines = [probes[0].until(identity, "event", timeout=10) for _ in range(3)]

    assert [(line["phase"], line["batches"]) for line in lines] == [("starting", 0)] * 3
    assert probes[0].stop()["survivors"] == 0


def test_user_code_finds_what_launchers_set(start: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    request = {"source": python_source("wild_ranks:stream"), "step": None, "device": "cpu", "rank": 1, "world_size": 2}
    probe = start("warm")
    probe.ask("open", seed=7, **request)
    in_workers = probe.ask(
        "deliveries",
        config=TWO_WORKERS,
        batches=None,
        samples_per_batch=4,
        most_batches=4,
        seconds=20,
        seed=1,
        worker_seed=1,
    )["result"]["batches"]
    for name in ("RANK", "LOCAL_RANK", "WORLD_SIZE", "LOCAL_WORLD_SIZE"):
        monkeypatch.setenv(name, "to be put back")
    session, _ = open_session(request, "", "", 1)

    # Its samples are made of the variables.
    sample = torch.tensor([1, 2, 1])
    assert next(iter(session.source.dataset)).equal(sample)
    assert [batch["leaves"] for batch in in_workers] == [leaves(sample[None], 1)] * 4
    assert {batch["worker"] for batch in in_workers} == {0, 1}


def test_a_share_that_fills_no_batch_is_refused_with_its_numbers(start: Any) -> None:
    probes = open_ranks(start, "inline", python_source("wild_ranks:by_rank", samples=7))
    error = probes[0].ask("check", batch_size=4)["error"]
    assert error["reason"] == "dataset_error"
    assert error["details"] == {"length": 7, "ranks": 2, "batch_size": 4}
    assert "3 for each of 2 ranks" in error["message"]


def test_a_sampler_of_the_users_own_has_divided_the_samples_already(tmp_path: Path) -> None:
    """128 samples, of which a ``DistributedSampler`` draws 64 in each of two ranks: enough for a batch of 64."""
    source = build_source(python_source("wild_ranks:distributed", samples=128, ranks=2), str(tmp_path))
    assert source.length == 64

    divided = divide(source, Rank(0, 2))

    assert divided.length == 128
    require_full_batch(divided.length, 64, divided.rank)
    with pytest.raises(ProbeFailure, match="64 for each of 2 ranks"):
        require_full_batch(divided.length, 65, divided.rank)


def test_a_function_to_batches_must_take_its_rank() -> None:
    rank = Rank(1, 2)
    assert rank.calling(lambda config, rank, world_size: (rank, world_size))({}) == (1, 2)
    assert rank.calling(lambda config, **others: others)({}) == {"rank": 1, "world_size": 2}
    with pytest.raises(ProbeFailure, match="takes no rank and world_size") as refused:
        rank.calling(lambda config: [])
    assert refused.value.reason == "invalid_config"


def test_set_epoch_never_called(start: Any, tmp_path: Path) -> None:
    notes = tmp_path / "epochs"
    probe = start("inline", python_source("wild_ranks:own_sampler", notes=str(notes), samples=16))
    checked = probe.ask("check", batch_size=4)["result"]

    assert checked["order"] == {
        "sampler": "NotedSampler",
        "indices": 16,
        "repeats": True,
        "changes_with_set_epoch": True,
    }
    notes.unlink()
    result = probe.round(NO_WORKERS, PLAN_WITHOUT_WORKERS)["result"]
    # Of four batches a pass the first pass has all, every other its last: two warm it up, time goes on from the third.
    passes = len(result["arrivals_us"]) - 4
    assert passes >= 2
    assert notes.read_text(encoding="ascii").split() == [str(number) for number in range(1, passes + 1)]
