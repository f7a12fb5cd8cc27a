"""A ``DataLoader`` of the user's own as what the factory returns."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from conftest import NO_WORKERS, SHORT_PLAN, TWO_WORKERS, Probe, python_source
from loader_probe.checks import check, step_alone
from loader_probe.devices import CpuDevice
from loader_probe.loading import Repeated
from loader_probe.session import Session, open_session
from loader_probe.sources import Source
from loader_probe.sources.user_loader import UserLoader
from loader_probe.workers import WorkerStart
from torch.utils.data import BatchSampler, DataLoader, SequentialSampler

Start = Callable[..., Probe]

ONE_CYCLE = {**SHORT_PLAN, "cycle": 1}


def test_a_batch_sampler_of_the_users_own(start: Start) -> None:
    inline = start("inline")
    facts = inline.open(python_source("wild_data:own_batch_sampler", samples=30))["result"]
    checked = inline.ask("check", batch_size=32)["result"]
    result = inline.round(NO_WORKERS, {**ONE_CYCLE, "window_seconds": 0.2})["result"]

    assert facts["kind"] == "map"
    assert facts["length"] == 30
    assert facts["batch_size_frozen_by"] == "batch_sampler"
    assert checked["batch_samples"] == 3
    assert len(result["arrivals_us"]) > 10, "ten batches are a pass: the user's sampler is begun again"
    assert result["window_samples"] == 3 * (result["window"]["last"] - result["window"]["first"])


def test_what_the_users_loader_decides_is_kept(start: Start, tmp_path: Path) -> None:
    probe = start("warm")
    facts = probe.open(python_source("wild_data:own_loader", notes=str(tmp_path)))["result"]
    result = probe.round(TWO_WORKERS, {**SHORT_PLAN, "min_cycles": 10})["result"]
    delivered = start("inline", python_source("wild_data:own_loader", notes=str(tmp_path))).ask(
        "deliveries",
        config=NO_WORKERS,
        batches=None,
        samples_per_batch=4,
        most_batches=2,
        seconds=5,
        seed=1,
        worker_seed=1,
    )["result"]

    assert facts["length"] == 32, "the sampler takes every other of 64"
    assert facts["batch_size_frozen_by"] is None
    assert result["effective"]["batch_size"] == 4
    assert {file.name for file in tmp_path.glob("worker-*")} == {"worker-0", "worker-1"}
    passes = (tmp_path / "passes").read_text(encoding="utf-8").split()
    assert passes[:2] == ["0", "1"], "it is told of every epoch, as training would"
    assert [batch["indices"] for batch in delivered["batches"]] == [[1, 3, 5, 7], [9, 11, 13, 15]]
    assert delivered["batches"][0]["leaves"][""]["form"] == "int64 [4, 1]"


class Noted(SequentialSampler):
    """Keeps what it is told of epochs and passes, and takes its time for the latter."""

    def __init__(self, length: int, seconds: float = 0.0) -> None:
        super().__init__(range(length))
        self.seconds = seconds
        self.epochs: list[int] = []
        self.passes = 0

    def set_epoch(self, epoch: int) -> None:
        self.epochs.append(epoch)

    def __iter__(self) -> Iterator[int]:
        self.passes += 1
        if self.passes > 1:
            time.sleep(self.seconds)
        return super().__iter__()


def test_a_sampler_inside_of_a_batch_sampler_is_told_of_every_epoch() -> None:
    sampler = Noted(4)
    batches = iter(Repeated(BatchSampler(sampler, 2, drop_last=True)))

    drawn = [next(batches) for _ in range(5)]

    assert drawn == [[0, 1], [2, 3], [0, 1], [2, 3], [0, 1]]
    assert sampler.epochs == [0, 1, 2]


def test_the_time_of_a_batch_is_not_that_of_looking_into_its_samplers_order() -> None:
    sampler = Noted(8, seconds=0.2)
    loader = DataLoader(range(8), batch_size=None, sampler=sampler)
    source = Source("map", range(8), None, own=UserLoader.of(loader, "make"))

    checked = check(Session(source, None, CpuDevice(), WorkerStart("", "", "", "")), 1)

    assert checked["order"]["repeats"] is True
    assert sampler.passes == 4
    assert checked["sample_seconds"] < 0.2


def test_a_sampler_of_whole_batches(start: Start) -> None:
    inline = start("inline")
    facts = inline.open(python_source("wild_data:bulk", samples=64))["result"]
    checked = inline.ask("check", batch_size=32)["result"]
    result = inline.round(NO_WORKERS, ONE_CYCLE)["result"]

    assert facts["length"] is None, "eight items, each a batch, are not eight samples"
    assert facts["batch_size_frozen_by"] == "batch_size=None"
    assert checked["batch_samples"] == 8
    assert checked["sample_bytes"] is None
    assert result["window_samples"] == 8 * (result["window"]["last"] - result["window"]["first"])


def test_scalars_that_nobody_batches_are_one_sample_each() -> None:
    request = {"source": python_source("wild_data:scalars"), "device": "cpu", "step": {"milliseconds": 1}}
    session, facts = open_session(request, "", "", 1)

    alone = step_alone(session, NO_WORKERS, 0.0)

    assert facts["length"] is None
    assert check(session, 32)["batch_samples"] == 1
    assert alone["samples"] == alone["steps"] > 0


def test_a_timeout_and_values_without_workers(start: Start, tmp_path: Path) -> None:
    inline = start("inline", python_source("wild_data:own_loader", notes=str(tmp_path)))

    assert "result" in inline.round(NO_WORKERS, ONE_CYCLE), "torch refuses a timeout without workers"


def test_an_iterable_that_batches_itself(start: Start) -> None:
    inline = start("inline")
    facts = inline.open(python_source("wild_data:self_batched", samples=40))["result"]
    result = inline.round(NO_WORKERS, ONE_CYCLE)["result"]

    assert facts["kind"] == "iterable"
    assert facts["batch_size_frozen_by"] == "batch_size=None"
    assert result["window_samples"] == 4 * (result["window"]["last"] - result["window"]["first"])


def test_a_loader_that_does_more_than_a_plain_one_is_refused(start: Start) -> None:
    error = start("inline").open(python_source("wild_data:loader_with_an_iter_of_its_own"))["error"]

    assert error["reason"] == "dataset_error"
    assert "return a function from loader config" in error["message"]
    assert error["details"] == {"type": "Renewing"}


@pytest.mark.parametrize(
    ("factory", "part", "attribute", "value"),
    [
        ("by_lambda", "collate_fn", None, "by_lambda.<locals>.<lambda> (wild_data.py:"),
        ("lambda_inside", "dataset", "transform.steps[1]", "WithTransform.__init__.<locals>.<lambda> (wild_data.py:"),
        ("lambda_worker_init", "worker_init_fn", None, "lambda_worker_init.<locals>.<lambda> (wild_data.py:"),
    ],
)
def test_a_lambda_under_spawn(start: Start, factory: str, part: str, attribute: str | None, value: str) -> None:
    probe = start("warm", python_source(f"wild_data:{factory}"))

    error = probe.round({**TWO_WORKERS, "multiprocessing_context": "spawn"}, SHORT_PLAN)["error"]

    assert error["reason"] == "not_picklable"
    assert error["details"]["part"] == part
    assert error["details"]["attribute"] == attribute
    assert error["details"]["value"].startswith(value)
    assert error["message"].startswith(f"{part}{'.' + attribute if attribute else ''} cannot be sent to a worker: ")


@pytest.mark.parametrize(
    ("what", "odd", "usual", "path"),
    [
        ("shape", "is float32 of shape [3, 5] at image", "is float32 of shape [3, 4]", "image"),
        ("none", "is None", "has image, label", ""),
    ],
)
def test_samples_of_different_shapes(start: Start, what: str, odd: str, usual: str, path: str) -> None:
    source = python_source("wild_data:uneven", what=what, samples=16)
    for role, config in (("warm", TWO_WORKERS), ("inline", NO_WORKERS)):
        error = start(role, source).round(config, {**SHORT_PLAN, "cycle": 2 if role == "warm" else 1})["error"]

        assert error["reason"] == "collate_error"
        first, other = error["details"]["indices"]
        assert first == 11
        assert error["message"].startswith(f"sample 11 {odd}, but sample {other} {usual} ({error['frame']}): ")
        assert error["details"]["path"] == path
        assert error["frame"].endswith("in __getitem__")


def test_a_sample_that_cannot_be_read(start: Start) -> None:
    source = python_source("wild_data:uneven", what="truncated", samples=16)
    for role, config in (("warm", TWO_WORKERS), ("inline", NO_WORKERS)):
        error = start(role, source).round(config, {**SHORT_PLAN, "cycle": 2 if role == "warm" else 1})["error"]

        assert error["reason"] == "dataset_error"
        assert error["exception"] == "OSError"
        assert error["details"]["index"] == 11
        assert error["frame"].endswith("in truncated_image"), "the innermost frame of the user's own, not of Pillow"
        assert error["message"].startswith(f"sample 11 ({error['frame']}): OSError: ")
