"""What is delivered, as digests: the same with and without workers unless something is wrong."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy
import pytest
import torch
from conftest import NO_WORKERS, TWO_WORKERS, Probe, python_source
from loader_probe.deliveries import Deliveries, InTurn
from loader_probe.digests import count_digests, folded, leaves
from loader_probe.session import open_session
from torch.utils.data import IterableDataset, get_worker_info
from torch.utils.data.datapipes.iter import IterableWrapper
from user_code import wild_data

Start = Callable[..., Probe]

LIMITS = {"worker_seed": 1, "samples_per_batch": 4, "most_batches": 16, "seconds": 20.0}


def deliveries(probe: Probe, config: dict[str, Any], batches: Any = None, seed: int = 1, **limits: Any) -> Any:
    identity = probe.send("deliveries", config=config, batches=batches, seed=seed, **{**LIMITS, **limits})
    answer = probe.until(identity, "result", "error")
    assert "result" in answer, answer
    probe.until(identity, "event")
    return answer["result"]


class Here:
    """Reads as an inline probe does, in this very process: importing torch once more takes a while."""

    def __init__(self, source: dict[str, Any]) -> None:
        self.session, _ = open_session({"source": source, "device": "cpu"}, "", "", 1)

    def deliveries(self, batches: Any = None) -> dict[str, Any]:
        request = {"config": NO_WORKERS, "batches": batches, "seed": 1, **LIMITS}
        reading = Deliveries(self.session, request)
        result = reading.read()
        reading.close()
        return result


def digests(answer: Any, path: str = "") -> list[list[str]]:
    return [batch["leaves"][path]["digests"] for batch in answer["batches"]]


def test_indices_that_are_tuples_stay_tuples_on_their_way_through_the_tuner() -> None:
    reader = Here(python_source("wild_data:by_size"))

    drawn = reader.deliveries()
    again = reader.deliveries(json.loads(json.dumps([batch["indices"] for batch in drawn["batches"]])))

    assert [batch["indices"] for batch in again["batches"]] == [
        [(number, size), (number + 1, size)] for size in (3, 5) for number in (2, 6)
    ]
    # Seeded by their indices before every batch: random content is the same again.
    assert digests(again) == digests(drawn)


def test_a_leaf_has_a_digest_for_each_sample() -> None:
    batch = {"image": torch.arange(6.0).reshape(3, 2), "name": ["a", "b", "a"], "scale": torch.tensor(2.0)}

    found = leaves(batch, 3)

    assert set(found) == {"image", "name", "scale"}
    assert found["image"]["form"] == "float32 [3, 2]"
    assert len(set(found["image"]["digests"])) == 3
    assert found["image"]["digests"][1:2] == leaves(torch.tensor([[2.0, 3.0]]), 1)[""]["digests"]
    assert found["name"]["digests"][0] == found["name"]["digests"][2] != found["name"]["digests"][1]
    assert len(found["scale"]["digests"]) == 1


@pytest.mark.parametrize("samples", [1, 3])
def test_a_tuple_that_pinning_made_a_list_is_the_same(samples: int) -> None:
    # What torch's pin_memory returns for a tuple is a list.
    assert leaves({"name": ("a", "b", "c")}, samples) == leaves({"name": ["a", "b", "c"]}, samples)
    assert leaves(("a", torch.ones(3)), samples) == leaves(["a", torch.ones(3)], samples)
    assert leaves(("a", "b"), samples) != leaves(["b", "a"], samples)


def test_leaves_without_plain_memory_have_their_form_alone() -> None:
    assert leaves(torch.eye(2).to_sparse(), 2)[""] == {"form": "float32 [2, 2]", "digests": []}
    assert leaves(torch.zeros(0, 3), 0)[""]["form"] == "float32 [0, 3]"
    assert leaves({"a": object()}, 1)["a"] == {"form": "object", "digests": []}
    assert leaves({"a": numpy.array(["x", None], dtype=object)}, 1)["a"] == {"form": "object [2]", "digests": []}


def test_a_batch_is_the_same_before_and_after_pinning() -> None:
    # Older versions of torch make lists of tuples while they pin what is in them.
    assert leaves([["a.jpg", "b.jpg"], {"size": [640, 480]}], 2) == leaves(
        [("a.jpg", "b.jpg"), {"size": (640, 480)}], 2
    )


def test_a_batch_folds_into_one_digest_that_tells_any_part() -> None:
    def digest(image: list[float], name: str) -> str:
        found = folded(leaves({"image": torch.tensor(image), "name": [name, "b"]}, 2))
        assert count_digests(found) == 1
        return found[""]["digests"][0]

    assert digest([1.0, 2.0], "a") == digest([1.0, 2.0], "a")
    assert len({digest([1.0, 2.0], "a"), digest([1.0, 3.0], "a"), digest([1.0, 2.0], "c")}) == 3


def test_digests_are_bounded_whatever_a_batch_holds(start: Start) -> None:
    own_batches = start("inline", python_source("wild_data:self_batched"))
    many_parts = start("inline", python_source("wild_data:many_parts"))

    found = deliveries(own_batches, NO_WORKERS, most_batches=10)
    cut = deliveries(many_parts, NO_WORKERS, most_batches=64)

    assert [(batch["samples"], len(batch["leaves"][""]["digests"])) for batch in found["batches"]] == [(4, 1)] * 10
    # 1000 parts of 4 samples in a batch, of 16384 digests in all.
    assert len(cut["batches"]) == 5
    assert not cut["ended"]


@pytest.mark.parametrize("factory", ["duplicates", "few"])
def test_workers_deliver_what_the_process_itself_reads(start: Start, factory: str) -> None:
    source = python_source(f"wild_data:{factory}", **({"samples": 50} if factory == "few" else {}))
    inline, warm = Here(source), start("warm", source)

    here = inline.deliveries()
    lists = [batch["indices"] for batch in here["batches"]]
    there = deliveries(warm, TWO_WORKERS, lists)

    assert here["ended"]
    assert there["ended"]
    assert here["asked"] == there["asked"] == len(lists)
    assert sum(map(len, lists)) == len({index for batch in lists for index in batch}), "no index twice"
    assert digests(here) == digests(there)


def test_global_random_numbers_are_the_same_wherever_a_batch_is_read(start: Start) -> None:
    source = python_source("wild_data:augmented")
    inline, warm = Here(source), start("warm", source)

    here = inline.deliveries()
    again = inline.deliveries([batch["indices"] for batch in here["batches"]])
    there = deliveries(warm, TWO_WORKERS, [batch["indices"] for batch in here["batches"]])

    assert digests(here, "label") == digests(again, "label") == digests(there, "label")
    assert digests(here, "image") != digests(again, "image"), "a generator of the dataset's own goes on"
    assert digests(here, "worker") == digests(again, "worker") != digests(there, "worker")


def test_a_pass_is_bounded_by_batches_and_by_time(start: Start) -> None:
    source = python_source("wild_data:few", samples=4096)
    inline = start("inline", source)

    assert len(deliveries(inline, NO_WORKERS, most_batches=5)["batches"]) == 5
    quick = deliveries(inline, NO_WORKERS, most_batches=1000, seconds=0.0)
    assert len(quick["batches"]) == 1
    assert not quick["ended"]


def test_samples_of_an_iterable_say_which_worker_they_came_from(start: Start) -> None:
    source = python_source("wild_data:stream", samples=11)
    inline, warm = Here(source), start("warm", source)

    here = inline.deliveries()
    there = deliveries(warm, TWO_WORKERS)
    cut = deliveries(warm, TWO_WORKERS, most_batches=4)

    assert here["ended"]
    assert there["ended"]
    assert [batch["worker"] for batch in here["batches"]] == [None] * 11
    assert [batch["worker"] for batch in there["batches"]] == [0, 1] * 5 + [0]
    assert sorted(digests(here)) == sorted(digests(there))
    assert not cut["ended"]
    assert len(cut["batches"]) == 4


def test_a_stream_is_read_as_each_of_its_workers_would() -> None:
    plain = list(wild_data.seeded_stream(7))

    in_turn = list(InTurn(wild_data.seeded_stream(7), 2, 1))

    assert [int(sample["common"]) for sample in in_turn] == [0, 2, 4, 6, 1, 3, 5]
    assert in_turn[0] == plain[0]
    assert in_turn[1]["common"] - 2 == plain[1]["common"] - 1, "the second draw, as anywhere"
    assert in_turn[4]["common"] - 1 == plain[0]["common"]
    assert in_turn[4]["by_worker"] - 1 != plain[0]["by_worker"], "the second worker's first draw"
    assert get_worker_info() is None


def test_a_stream_that_keeps_its_share_for_good_has_it_once_for_each_worker() -> None:
    class Keeps(IterableDataset):
        numbers = tuple(range(6))

        def __iter__(self) -> Iterator[int]:
            info = get_worker_info()
            self.numbers = self.numbers[info.id :: info.num_workers]
            return iter(self.numbers)

    assert list(InTurn(Keeps(), 3, 1)) == [0, 3, 1, 4, 2, 5]


def test_workers_shuffle_a_data_pipe_alike_and_share_it() -> None:
    pipe = IterableWrapper(range(40)).shuffle().sharding_filter()

    in_turn = list(InTurn(pipe, 2, 1))

    assert sorted(in_turn) == list(range(40))
    assert in_turn != sorted(in_turn)


def test_roles_are_kept(start: Start) -> None:
    warm = start("warm", python_source("wild_data:few", samples=8))

    error = warm.ask("deliveries", config=NO_WORKERS, batches=None, seed=1, **LIMITS)["error"]

    assert error["reason"] == "runner_error"
    assert "never does" in error["message"]


def test_a_started_worker_without_a_global_delivers_something_else(start: Start) -> None:
    source = python_source("wild_data:scaled_by_a_global")
    inline, warm = Here(source), start("warm", source)

    here = inline.deliveries()
    lists = [batch["indices"] for batch in here["batches"]]
    forked = deliveries(warm, {**TWO_WORKERS, "multiprocessing_context": "fork"}, lists)
    spawned = deliveries(warm, {**TWO_WORKERS, "num_workers": 1, "multiprocessing_context": "spawn"}, lists)

    assert digests(here) == digests(forked)
    assert digests(here) != digests(spawned)


def test_a_shared_file_position_shows(start: Start, tmp_path: Path) -> None:
    source = python_source("wild_data:shared_handle", path=str(tmp_path / "rows"))
    inline, warm = Here(source), start("warm", source)

    here = inline.deliveries()
    lists = [batch["indices"] for batch in here["batches"]]
    one = deliveries(warm, {**TWO_WORKERS, "num_workers": 1}, lists)
    two = deliveries(warm, TWO_WORKERS, lists)
    inline.session.source.dataset.file.close()

    assert digests(here) == digests(one)
    assert digests(here) != digests(two)


def test_an_epoch_that_ends_early_is_seen(start: Start) -> None:
    source = python_source("wild_data:stops_in_workers")
    inline, warm = Here(source), start("warm", source)

    here = inline.deliveries()
    there = deliveries(warm, TWO_WORKERS, [batch["indices"] for batch in here["batches"]])

    assert len(here["batches"]) == here["asked"]
    assert there["ended"]
    assert len(there["batches"]) < there["asked"]
