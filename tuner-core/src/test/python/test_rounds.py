"""Rounds with the real DataLoader."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from time import perf_counter_ns
from types import SimpleNamespace
from typing import Any

import pytest
import torch
from conftest import (
    NO_WORKERS,
    SHORT_PLAN,
    TWO_WORKERS,
    USER_CODE,
    Probe,
    python_source,
    seconds_per_batch,
    session_over,
)
from loader_probe.devices import CpuDevice, CudaDevice
from loader_probe.rounds import Round
from loader_probe.sources import Source

Start = Callable[..., Probe]


@pytest.fixture(scope="module")
def warm(start_shared: Start) -> Probe:
    """One probe for all rounds over the plain dataset, as in a study."""
    return start_shared("warm", python_source("wild:plain", samples=40, milliseconds=1, size=1024))


def test_a_round_reports_what_happened(warm: Probe) -> None:
    result = warm.round(TWO_WORKERS, {**SHORT_PLAN, "window_seconds": 0.4})["result"]

    window, arrivals = result["window"], result["arrivals_us"]
    assert window["first"] == 2
    assert window["last"] == len(arrivals) - 1
    assert (window["last"] - window["first"]) % 2 == 0
    assert result["window_samples"] == 4 * (window["last"] - window["first"])
    assert arrivals == sorted(arrivals)
    assert arrivals[window["last"]] - arrivals[window["first"]] >= 400_000
    assert 0 < result["wait_seconds"] < 1
    assert result["startup_seconds"] > 0
    assert result["first_batch_seconds"] > 0
    assert result["memory"]["pss_bytes"] > result["memory"]["shared_memory_bytes"] > 0
    assert result["memory"]["processes"] == 3
    assert result["cpu"]["own_cores"] >= 0
    assert result["cpu"]["foreign_cores"] >= 0
    assert result["gpu"] is None
    assert result["start_method"] in ("fork", "forkserver")
    assert len(arrivals) > 40 / 4, "the sampler goes on where an epoch ends"


def endless_batches() -> Iterator[torch.Tensor]:
    while True:
        time.sleep(0.001)
        yield torch.zeros(4)


def test_the_warm_up_begins_after_the_meters_and_the_first_batch_came_before_them(tmp_path: Path) -> None:
    plan = {**SHORT_PLAN, "warmup_batches": 0, "warmup_seconds": 0.1}
    measured = Round(session_over("map", tmp_path), {"config": TWO_WORKERS, "plan": plan, "id": 1}, lambda event: None)
    record, metered = measured._record, []

    def slow_meter() -> None:
        time.sleep(0.3)
        metered.append(perf_counter_ns())

    measured._copying = SimpleNamespace(begin=slow_meter, end=lambda: None)
    measured._iterator = endless_batches()
    record.iter_at = record.ready_at = perf_counter_ns()
    result = measured._result(None, measured._measure())

    opened = record.iter_at + 1000 * record.arrivals[record.first]
    assert opened >= metered[0] + 99_000_000
    assert record.iter_at + 1000 * record.arrivals[0] >= metered[0] - 1000, "from there the tuner counts the warm-up"
    assert result["first_batch_seconds"] < 0.2
    assert max(record.waits) < 200_000_000, "what the meters take is no wait for a batch"


class CountingDevice(CpuDevice):
    """A fake: does nothing but note what was asked of it, in order."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[str] = []

    def move(self, batch: Any, non_blocking: bool) -> Any:
        self.asked.append("move")
        return batch

    def synchronise(self) -> None:
        self.asked.append("synchronise")

    def pace(self) -> None:
        self.asked.append("pace")


def test_the_device_is_synchronised_after_the_first_batch_and_at_the_edges_of_the_window_alone(tmp_path: Path) -> None:
    device = CountingDevice()
    session = SimpleNamespace(
        source=Source("map", None, None),
        device=device,
        step=lambda batch: device.asked.append("step"),
        worker_start=SimpleNamespace(notes_path=str(tmp_path / "notes")),
    )
    plan = {**SHORT_PLAN, "warmup_batches": 4, "min_cycles": 3}
    measured = Round(session, {"config": TWO_WORKERS, "plan": plan, "id": 1}, lambda event: None)
    record = measured._record
    measured._copying = SimpleNamespace(begin=lambda: None, end=lambda: None)
    measured._iterator = endless_batches()
    record.iter_at = record.ready_at = perf_counter_ns()

    measured._measure()

    assert record.first == 4
    assert record.last >= 10
    expected = []
    for batch in range(record.last + 1):
        expected += ["move", "step", "pace"]
        if batch in (0, record.first, record.last):
            expected.append("synchronise")
    assert device.asked == expected


def test_the_host_queues_no_more_than_two_steps_ahead_of_the_device(monkeypatch: pytest.MonkeyPatch) -> None:
    waited_for: list[int] = []

    class FakeEvent:
        """Of the step that was queued before it, counted from 0."""

        made = 0

        def record(self) -> None:
            self.step = FakeEvent.made
            FakeEvent.made += 1

        def synchronize(self) -> None:
            waited_for.append(self.step)

    monkeypatch.setattr(torch.cuda, "Event", FakeEvent)
    monkeypatch.setattr(torch.cuda, "set_device", lambda device: None)
    monkeypatch.setattr(torch.cuda, "synchronize", lambda device: waited_for.append(-1))
    device = CudaDevice(0)

    for _ in range(5):
        device.pace()
    device.synchronise()
    for _ in range(3):
        device.pace()

    assert waited_for == [0, 1, 2, -1, 5], "of what was waited for altogether nothing is waited for again"


def test_settings_in_force_are_read_back(warm: Probe) -> None:
    config = {**TWO_WORKERS, "prefetch_factor": 3, "persistent_workers": False, "multiprocessing_context": "fork"}

    result = warm.round(config, SHORT_PLAN)["result"]

    assert result["effective"] == {**config, "pin_memory": False, "non_blocking": False}
    assert result["start_method"] == "fork"
    assert result["pickled_bytes"] is None


def test_the_warm_probe_reads_no_sample_itself(warm: Probe) -> None:
    for answer in (
        warm.ask("check", batch_size=4),
        warm.round(NO_WORKERS, SHORT_PLAN),
        warm.ask("step_alone", config=NO_WORKERS, seconds=0.1),
    ):
        assert answer["error"]["reason"] == "runner_error"
        assert "never does" in answer["error"]["message"]


def test_spawned_workers_work(warm: Probe) -> None:
    config = {**TWO_WORKERS, "num_workers": 1, "multiprocessing_context": "spawn"}

    answer = warm.round(config, {**SHORT_PLAN, "cycle": 1})

    assert answer["result"]["start_method"] == "spawn"
    assert answer["result"]["effective"]["multiprocessing_context"] == "spawn"
    assert answer["result"]["pickled_bytes"] > 0


def test_progress_tells_a_slow_loader_from_a_hung_one(warm: Probe) -> None:
    identity = warm.send(
        "round", config=TWO_WORKERS, plan={**SHORT_PLAN, "window_seconds": 1.2}, with_step=False, seed=7
    )
    warm.until(identity, "result")
    warm.until(identity, "event")

    phases = [line["phase"] for line in warm.lines if line.get("id") == identity and "phase" in line]
    batches = [line["batches"] for line in warm.lines if line.get("id") == identity and "phase" in line]
    assert phases[0] == "starting"
    assert len(phases) >= 4
    assert batches[:2] == [0, 1]
    assert batches == sorted(set(batches))


def test_shared_memory_that_waits_in_the_queue_is_counted(warm: Probe) -> None:
    few = warm.round({**TWO_WORKERS, "batch_size": 16, "prefetch_factor": 1}, {**SHORT_PLAN, "window_seconds": 0.3})
    slow_step = warm.round({**TWO_WORKERS, "batch_size": 16, "prefetch_factor": 8}, SHORT_PLAN)

    # A batch is 64 KiB; nobody reads while memory is measured, so the queues fill up towards 2 x 8 batches.
    assert few["result"]["memory"]["shared_memory_bytes"] >= 64 * 1024
    assert slow_step["result"]["memory"]["pss_bytes"] > slow_step["result"]["memory"]["shared_memory_bytes"]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"num_workers": True}, "num_workers is a whole number from 0, not True"),
        ({"prefetch_factor": True}, "prefetch_factor is a whole number from 1 or null, not True"),
        ({"prefetch_factor": 0}, "prefetch_factor is a whole number from 1 or null, not 0"),
        ({"batch_size": 0}, "batch_size is a whole number from 1, not 0"),
        ({"pin_memory": 1}, "pin_memory is true or false, not 1"),
        ({"num_workers": 0, "persistent_workers": False}, "prefetch_factor means nothing without workers"),
        ({"num_workers": 0, "prefetch_factor": None}, "persistent_workers means nothing without workers"),
        ({"multiprocessing_context": "teleport"}, "multiprocessing_context is one of"),
        ({"in_order": False}, "unknown settings: in_order"),
    ],
)
def test_a_config_that_means_nothing_is_refused_in_words(warm: Probe, change: dict[str, Any], words: str) -> None:
    error = warm.round({**TWO_WORKERS, **change}, SHORT_PLAN)["error"]

    assert error["reason"] == "invalid_config"
    assert words in error["message"]


def test_a_dataset_smaller_than_a_batch_is_told_with_both_numbers(warm: Probe) -> None:
    error = warm.round({**TWO_WORKERS, "batch_size": 41}, SHORT_PLAN)["error"]

    assert error["reason"] == "dataset_error"
    assert error["details"] == {"length": 40, "batch_size": 41}


def test_a_round_without_workers_counts_from_the_start_of_iteration(start: Start) -> None:
    source = {"kind": "synthetic", "samples": 64, "sample_milliseconds": 10}
    inline = start("inline", source)

    refused = inline.round(TWO_WORKERS, SHORT_PLAN)["error"]
    result = inline.round(NO_WORKERS, {**SHORT_PLAN, "cycle": 1, "warmup_batches": 0, "warmup_seconds": 0.03})["result"]

    assert refused["reason"] == "runner_error", "workers would inherit what this process has opened"
    assert result["window"]["first"] == 0, "the first batch alone takes 40 ms"
    assert result["effective"]["prefetch_factor"] is None
    assert result["effective"]["persistent_workers"] is False
    assert result["memory"]["processes"] == 1


def test_the_emulated_step_is_part_of_the_objective(start: Start) -> None:
    inline = start("inline")
    inline.open({"kind": "synthetic", "samples": 64}, step={"milliseconds": 50})
    plan = {**SHORT_PLAN, "cycle": 1, "min_cycles": 4}

    with_step = inline.round(NO_WORKERS, plan, with_step=True)["result"]
    without = inline.round(NO_WORKERS, plan, with_step=False)["result"]
    alone = inline.ask("step_alone", config=NO_WORKERS, seconds=0.3)["result"]

    assert seconds_per_batch(with_step) >= 0.05
    assert seconds_per_batch(without) < 0.017
    assert alone["seconds"] / alone["steps"] >= 0.05
    assert alone["samples"] == 4 * alone["steps"]


def test_the_dataset_and_the_step_may_be_built_from_different_folders(start: Start) -> None:
    inline = start("inline")
    source = {"kind": "synthetic", "samples": 64}
    step = {"factory": "wild:step", "arguments": {"milliseconds": 1}}

    missing = inline.open(source, step=step)["error"]
    inline.open(source, step={**step, "python_path": [USER_CODE]})
    alone = inline.ask("step_alone", config=NO_WORKERS, seconds=0.01)

    assert missing["reason"] == "import_error"
    assert alone["result"]["steps"] >= 1


def test_a_step_of_the_users_own_runs_and_its_errors_are_not_the_datasets(start: Start) -> None:
    inline = start("inline")
    source = {"kind": "synthetic", "samples": 64}
    inline.open(source, step={**python_source("wild:step", milliseconds=50)})
    broken = start("inline")
    broken.open(source, step=python_source("wild:broken_step"))
    plan = {**SHORT_PLAN, "cycle": 1}

    assert seconds_per_batch(inline.round(NO_WORKERS, plan)["result"]) >= 0.05
    for error in (
        broken.round(NO_WORKERS, plan)["error"],
        broken.ask("step_alone", config=NO_WORKERS, seconds=0.1)["error"],
    ):
        assert error["message"] == "the training step failed: RuntimeError: the loss is not finite"
        assert error["details"] == {"part": "step"}
        assert error["frame"].endswith("in run")


def test_an_iterable_begins_again_in_its_worker_unless_it_is_empty(start: Start, tmp_path: Path) -> None:
    samples = tmp_path / "samples"
    samples.write_text("6", encoding="utf-8")
    notes = tmp_path / "notes"
    notes.mkdir()
    probe = start("warm", python_source("wild:stream", samples=str(samples), notes=str(notes)))

    result = probe.round(TWO_WORKERS, {**SHORT_PLAN, "min_cycles": 4})["result"]

    passes = [file.name.partition("-")[0] for file in notes.iterdir()]
    assert passes.count("0") > 1
    assert passes.count("1") > 1
    assert result["window_samples"] == 4 * (result["window"]["last"] - result["window"]["first"])

    samples.write_text("0", encoding="utf-8")
    error = probe.round(TWO_WORKERS, SHORT_PLAN)["error"]

    assert error["reason"] == "dataset_error"
    assert "is empty" in error["message"]


def test_batches_without_end_are_counted_and_broken_off(start: Start) -> None:
    probe = start("warm", python_source("wild:endless_batches"))

    answer = probe.round(TWO_WORKERS, SHORT_PLAN)

    window = answer["result"]["window"]
    assert answer["result"]["effective"] is None
    assert answer["result"]["window_samples"] == 5 * (window["last"] - window["first"])
    assert answer["shutdown_seconds"] < 5


def test_batches_that_end_are_asked_for_again_unless_there_are_none(start: Start) -> None:
    probe = start("warm", python_source("wild:short_batches"))

    result = probe.round({**TWO_WORKERS, "prefetch_factor": 3}, SHORT_PLAN)["result"]
    error = probe.round({**TWO_WORKERS, "prefetch_factor": None}, SHORT_PLAN)["error"]

    assert len(result["arrivals_us"]) > 3
    assert error["reason"] == "dataset_error"
    assert "is empty" in error["message"]


def test_start_up_first_batch_and_shutdown_are_told_apart_and_not_in_the_rate(start: Start) -> None:
    delays = {"sampler": 400, "worker": 2000, "sample": 2600, "exit": 1200}
    source = python_source("wild_findings:slow_parts", **{f"{part}_milliseconds": ms for part, ms in delays.items()})
    config = {**TWO_WORKERS, "multiprocessing_context": "fork"}

    answer = start("warm", source).round(config, {**SHORT_PLAN, "min_cycles": 5})

    # Each is three times the one before it, so that none can be taken for another. Workers start while the pass begins.
    assert 0.4 <= answer["result"]["startup_seconds"] < 1.2
    assert 1.2 <= answer["shutdown_seconds"] < 3.6
    assert 3.6 <= answer["result"]["first_batch_seconds"] < 10.8
    # Ten batches of 20 ms from two workers: the shortest delay would make it 50 ms each.
    assert 0.009 <= seconds_per_batch(answer["result"]) < 0.03


def test_a_database_opened_lazily_is_opened_by_workers_only(start: Start, tmp_path: Path) -> None:
    import sqlite3

    from loader_probe.processes import descendants

    notes = tmp_path / "notes"
    notes.mkdir()
    connection = sqlite3.connect(tmp_path / "samples.db")
    connection.execute("create table samples (id integer primary key, value real)")
    connection.executemany("insert into samples values (?, ?)", [(number, number / 2) for number in range(32)])
    connection.commit()
    connection.close()
    probe = start("warm", python_source("wild:rows", path=str(tmp_path / "samples.db"), notes=str(notes)))
    probe_pid = descendants(probe.supervisor)[0].pid

    for _ in range(2):
        assert "result" in probe.round(TWO_WORKERS, SHORT_PLAN)

    openers = {int(file.name) for file in notes.iterdir()}
    assert len(openers) == 4, "two workers in each of two rounds"
    assert probe_pid not in openers
