"""Passes over the data of a user's own loader: telling it which one begins, as training does with ``set_epoch``."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

_INDICES = 256


def begin_pass(loader: Any, number: int) -> None:
    """Calls ``set_epoch`` of whatever has it: the loader, its samplers, its dataset."""
    begin_sampler_pass(loader, number)
    _tell(getattr(loader, "dataset", None), number)


def begin_sampler_pass(sampler: Any, number: int) -> None:
    """Calls ``set_epoch`` of a sampler or batch sampler and of those that it draws from."""
    for part in (sampler, *_samplers(sampler)):
        _tell(part, number)


def _tell(part: Any, number: int) -> None:
    set_epoch = getattr(part, "set_epoch", None)
    if callable(set_epoch):
        set_epoch(number)


def order(loader: Any) -> dict[str, Any] | None:
    """Whether passes repeat their order unless ``set_epoch`` is called; None where no sampler has it.

    Reads the beginning of three passes of the sampler and no sample.
    """
    sampler = next((part for part in _samplers(loader) if callable(getattr(part, "set_epoch", None))), None)
    if sampler is None:
        return None
    sampler.set_epoch(0)
    first, second = _beginning(sampler), _beginning(sampler)
    sampler.set_epoch(1)
    told = _beginning(sampler)
    sampler.set_epoch(0)
    return {
        "sampler": type(sampler).__name__,
        "indices": len(first),
        "repeats": first == second,
        "changes_with_set_epoch": first != told,
    }


def _beginning(sampler: Any) -> list[Any]:
    return list(itertools.islice(iter(sampler), _INDICES))


def _samplers(loader: Any) -> Iterator[Any]:
    sampler = getattr(loader, "sampler", None)
    batch_sampler = getattr(loader, "batch_sampler", None)
    yield sampler
    yield batch_sampler
    inner = getattr(batch_sampler, "sampler", None)
    if inner is not sampler:
        yield inner
