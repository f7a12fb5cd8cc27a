"""What a dataset does in workers, and between passes, that no rate shows."""

from __future__ import annotations

from collections.abc import Callable
from itertools import cycle
from multiprocessing import get_context
from typing import Any

import pytest
from conftest import NO_WORKERS, SHORT_PLAN, TWO_WORKERS, Probe, open_together, python_source
from loader_probe import pickled_size
from loader_probe.examination import Reading, judge

Start = Callable[..., Probe]
MIB = 1 << 20


def readings(worker: int, digests: bytes, indices: Any = (0, 1)) -> list[Reading]:
    """Two samples in turn, with these digests of one byte each."""
    return [Reading(worker, index, f"{digest:02x}", 2, 1) for index, digest in zip(cycle(indices), digests)]


@pytest.mark.parametrize(
    ("own", "other", "verdict"),
    [
        # Ten draws without end from one generator: by chance they would agree once in 5**10.
        (bytes(range(10)), bytes(range(10)), (True, True)),
        (bytes(range(9)) + b"\x63", bytes(range(10)), (False, True)),
        # Samples that never change say nothing.
        (b"\x00\x01" * 4, b"\x00\x01" * 4, (None, True)),
        (b"\x00\x01" * 3, b"\x00\x01" * 3, (None, False)),
        # Ten coins agree once in 2**10: too often to be called a fault.
        (b"\x00\x02\x01\x03" * 2 + b"\x00\x02", b"\x00\x02\x01\x03" * 2 + b"\x00\x02", (None, False)),
        # Twenty of them do once in a million.
        (b"\x00\x02\x01\x03" * 5, b"\x00\x02\x01\x03" * 5, (True, True)),
    ],
)
def test_agreement_counts_where_chance_does_not_explain_it(
    own: bytes, other: bytes, verdict: tuple[bool | None, bool]
) -> None:
    assert judge(readings(0, own), readings(1, other)) == verdict
    batches = ([0, 1], [2, 3])
    assert judge(readings(0, own, batches), readings(1, other, batches)) == verdict


def examine(start: Start, source: dict[str, Any], start_method: str | None = None) -> dict[str, Any]:
    answer = start("warm", source).ask("examine", multiprocessing_context=start_method)
    assert "result" in answer, answer
    return answer["result"]


@pytest.mark.parametrize("start_method", ["fork", "spawn"])
def test_a_generator_made_before_the_workers_repeats_in_them(start: Start, start_method: str) -> None:
    result = examine(start, python_source("wild_findings:augmented", kind="made in init"), start_method)

    assert result["random_numbers_repeat"] is True


@pytest.mark.parametrize("kind", ["torch", "python", "numpy", "flip"])
def test_generators_that_torch_seeds_per_worker_do_not_repeat(start: Start, kind: str) -> None:
    if kind == "numpy":
        pytest.importorskip("numpy")

    assert examine(start, python_source("wild_findings:augmented", kind=kind))["random_numbers_repeat"] is False


def test_samples_without_chance_are_no_sign_of_repetition(start: Start) -> None:
    result = examine(start, python_source("wild_findings:augmented", kind="none"))

    assert result == {"random_numbers_repeat": None, "usable_cpus": result["usable_cpus"], "torch_threads": 1}
    assert result["usable_cpus"] >= 1


def test_workers_say_what_holds_in_them(start: Start) -> None:
    probe = start()
    facts = probe.open(python_source("wild_findings:narrowed"))["result"]
    result = probe.ask("examine", multiprocessing_context=None)["result"]

    assert facts["usable_cpus_after"] == 1
    assert facts["omp_num_threads"] == 1
    assert result["usable_cpus"] == 1
    assert examine(start, python_source("wild_findings:threaded", threads=3))["torch_threads"] == 3


def test_a_stream_is_examined_by_its_first_sample(start: Start) -> None:
    result = examine(start, python_source("wild_findings:pausing", samples=10, pause_milliseconds=0, milliseconds=1))

    assert result["torch_threads"] == 1
    assert result["random_numbers_repeat"] is None


def test_an_iterable_of_batches_is_not_examined(start: Start) -> None:
    probe = start("warm", python_source("wild:idle_batches"))

    assert probe.ask("examine")["result"]["random_numbers_repeat"] is None
    assert probe.ask("epoch_gap", config=TWO_WORKERS)["result"] == {"epoch_gap_seconds": None}


def test_each_probe_refuses_what_belongs_to_the_other(start: Start) -> None:
    source = python_source("wild:plain", samples=16)
    inline, warm = start("inline"), start("warm")
    open_together((inline, source), (warm, source))

    for answer in (
        inline.ask("examine"),
        inline.ask("epoch_gap", config=TWO_WORKERS),
        warm.ask("epoch_gap", config=NO_WORKERS),
    ):
        assert answer["error"]["reason"] == "runner_error"


@pytest.mark.parametrize("persistent", [True, False])
def test_the_pause_at_the_start_of_a_pass_is_measured(start: Start, persistent: bool) -> None:
    source = python_source("wild_findings:pausing", samples=10_000, pause_milliseconds=400, milliseconds=1)

    gap = start("warm", source).ask("epoch_gap", config={**TWO_WORKERS, "persistent_workers": persistent}, seed=7)

    assert 0.4 < gap["result"]["epoch_gap_seconds"] < 2.0


def test_without_workers_the_gap_is_that_of_one_batch(start: Start) -> None:
    gap = start("inline", python_source("wild:plain", samples=16, milliseconds=20)).ask("epoch_gap", config=NO_WORKERS)

    # 4 samples of 20 ms
    assert 0.08 <= gap["result"]["epoch_gap_seconds"] < 0.24


def test_objects_are_copied_as_they_are_read_and_tensors_are_not(start: Start) -> None:
    config = {**TWO_WORKERS, "batch_size": 64, "multiprocessing_context": "fork"}
    plan = {**SHORT_PLAN, "window_seconds": 0.5}
    strings, plain = start("warm"), start("warm")
    open_together(
        (strings, python_source("wild_findings:strings", count=200_000, characters=500)),
        (plain, python_source("wild:plain", samples=4000)),
    )

    read = strings.round(config, plan)["result"]
    copied = read["copied"]
    kept = plain.round(config, plan)["result"]["copied"]

    assert copied["workers"] == kept["workers"] == 2
    # At least the strings that were read, each of 500 characters, and at most all there are, in each of two workers.
    assert 500 * read["window_samples"] < copied["copied_bytes"] < 220 * MIB
    assert kept["copied_bytes"] < 8 * MIB
    assert kept["shared_bytes"] > 16 * MIB


def test_what_is_pickled_to_a_worker_is_counted() -> None:
    strings = [f"{number:050}" for number in range(100_000)]
    with pickled_size.watched() as spawned:
        workers = [get_context("spawn").Process(target=len, args=(part,)) for part in (strings, strings[:10])]
        for worker in workers:
            worker.start()
    with pickled_size.watched() as forked:
        workers.append(get_context("fork").Process(target=len, args=(strings,)))
        workers[-1].start()
    for worker in workers:
        worker.join()

    # 50 characters and a few bytes of pickle for each string, sent to the one that got most
    assert 5_000_000 < spawned.bytes_per_worker < 7_000_000
    assert forked.bytes_per_worker is None


def test_the_longest_wait_is_told_from_the_usual_one(start: Start) -> None:
    source = python_source("wild_findings:sleeping", samples=64, milliseconds=5, slow=8, slow_milliseconds=600)
    plan = {**SHORT_PLAN, "min_cycles": 8}

    waits = start("inline", source).round(NO_WORKERS, {**plan, "cycle": 1, "min_cycles": 16})["result"]["waits"]

    # 16 batches of 4 are all 64 samples: one of them holds sample 8.
    assert waits["p50_seconds"] < 0.06
    assert waits["p50_seconds"] <= waits["p95_seconds"] <= waits["max_seconds"]
    assert 0.6 < waits["max_seconds"] < 1.0
