"""Counting and describing samples of any shape."""

from __future__ import annotations

from collections import namedtuple

import numpy
import pytest
import torch
from loader_probe.batches import count_bytes, count_samples, describe, move
from loader_probe.failures import ProbeFailure

Pair = namedtuple("Pair", "left right")


@pytest.mark.parametrize(
    "batch",
    [
        torch.zeros(5, 2),
        [torch.zeros(5, 2), torch.zeros(5)],
        {"loss_weight": torch.tensor(1.0), "image": torch.zeros(5, 3)},
        {"names": ["a"], "image": torch.zeros(5)},
        Pair(["a"] * 5, {"deep": [torch.zeros(5)]}),
        ["a", "b", "c", "d", "e"],
        [("a", "b", "c", "d", "e"), ("f", "g", "h", "i", "j")],
        {"text": ["a", "b", "c", "d", "e"]},
    ],
)
def test_samples_are_counted_from_what_came(batch: object) -> None:
    assert count_samples(batch) == 5


def test_a_batch_that_holds_nothing_countable_is_an_error() -> None:
    with pytest.raises(ProbeFailure, match="object cannot be counted"):
        count_samples(object())


@pytest.mark.parametrize("item", [torch.tensor(1.0), {"image": torch.tensor(1.0), "label": 3}, numpy.float32(2), 7])
def test_an_item_without_dimensions_counts_as_it_is_said(item: object) -> None:
    assert count_samples(item, otherwise=1) == 1
    with pytest.raises(ProbeFailure, match="cannot be counted"):
        count_samples(item)


@pytest.mark.parametrize("batch", [torch.zeros(0, 2), [], {"image": torch.zeros(0, 3), "names": []}])
def test_a_batch_without_samples_is_an_error_with_its_index(batch: object) -> None:
    with pytest.raises(ProbeFailure, match="a batch without samples came: batch 7") as raised:
        count_samples(batch, 7)

    assert raised.value.reason == "dataset_error"
    assert raised.value.details == {"batch": 7}


def test_leaves_are_described_with_their_path() -> None:
    sample = {"image": torch.zeros(3, 8, 8), "meta": ("name", 7)}

    assert describe(sample) == [
        {"path": "image", "type": "tensor", "shape": [3, 8, 8], "dtype": "float32"},
        {"path": "meta.0", "type": "str", "shape": None, "dtype": None},
        {"path": "meta.1", "type": "int", "shape": None, "dtype": None},
    ]
    assert count_bytes(sample) == 3 * 8 * 8 * 4 + 4 + 8


def test_moving_keeps_the_structure() -> None:
    batch = {"pair": Pair(torch.zeros(2), ["a", "b"]), "list": [torch.zeros(1)], "none": None}

    moved = move(batch, torch.device("cpu"), non_blocking=True)

    assert isinstance(moved["pair"], Pair)
    assert moved["pair"].right == ["a", "b"]
    assert moved["none"] is None
