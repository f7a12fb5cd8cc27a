"""The request ``examine``: what two workers say of themselves and of the samples they draw. Measures nothing."""

from __future__ import annotations

import itertools
import math
import os
from collections import Counter
from collections.abc import Iterator
from time import perf_counter
from typing import Any, NamedTuple

import torch
from torch.utils.data import Dataset, IterableDataset, get_worker_info

from loader_probe import child_deaths, loading
from loader_probe.checks import first_two
from loader_probe.digests import digest
from loader_probe.loading import LoaderConfig
from loader_probe.session import Session
from loader_probe.sources import Source

_READS = 32
_SECONDS = 1.0
_READS_THAT_SHOW_CHANGE = 8

_CERTAIN = math.log(1e6)
"""Two workers that agree by chance are rarer than one in a million before they count as repeating each other."""


class Reading(NamedTuple):
    """One sample, as a worker read it, and what held in the worker then."""

    worker: int
    index: Any
    digest: str
    cpus: int
    threads: int


def examine(session: Session, start_method: str | None) -> dict[str, Any]:
    """Has two workers read the same few samples in the same order, again and again, for about a second at most."""
    if session.source.kind == "batches":
        return {"random_numbers_repeat": None, "usable_cpus": None, "torch_threads": None}
    is_map = session.source.kind == "map"
    loader = _two_workers(session, start_method)
    readings: list[Reading] = []
    repeat = None
    iterator = None
    try:
        with child_deaths.set_aside():
            iterator = iter(loader)
        begun = None
        for reading in iterator:
            begun = perf_counter() if begun is None else begun
            readings.append(reading)
            if not is_map or len(readings) % 2:
                continue
            repeat, settled = judge(*([own for own in readings if own.worker == worker] for worker in (0, 1)))
            if settled or perf_counter() - begun > _SECONDS:
                break
    finally:
        child_deaths.ignore()
        loading.close(loader, iterator)
    return {
        "random_numbers_repeat": repeat,
        "usable_cpus": min((reading.cpus for reading in readings), default=None),
        "torch_threads": max((reading.threads for reading in readings), default=None),
    }


def _two_workers(session: Session, start_method: str | None) -> Any:
    source = session.source
    config = LoaderConfig(num_workers=2, batch_size=1, prefetch_factor=1, multiprocessing_context=start_method)
    batching: dict[str, Any] = {"collate_fn": _first}
    if source.own is not None and not source.own.in_order:
        batching["in_order"] = True
    if source.kind == "map":
        dataset: Any = _ReadSamples(source.dataset)
        batching["batch_sampler"] = _SameForTwo(source)
    else:
        dataset = _ReadStream(source.dataset)
        batching["batch_size"] = 1
    return loading.data_loader(source, config, session.worker_start, 0, dataset, **batching)


def judge(own: list[Reading], other: list[Reading]) -> tuple[bool | None, bool]:
    """Whether two workers draw the same random numbers, and whether more readings would not change that.

    None where it cannot be said: samples that never change say nothing, and those that seldom change agree by chance.
    """
    for mine, theirs in zip(own, other):
        if repr(mine.index) != repr(theirs.index):
            return None, True
        if mine.digest != theirs.digest:
            return False, True
    surprise = 0.0
    # An index may be a list, where samplers yield whole batches.
    for index in {repr(reading.index) for reading in own}:
        drawn = Counter(reading.digest for reading in own if repr(reading.index) == index)
        reads = sum(drawn.values())
        surprise -= reads * math.log(sum((count / reads) ** 2 for count in drawn.values()))
    if surprise > _CERTAIN:
        return True, True
    return None, surprise == 0 and len(own) >= _READS_THAT_SHOW_CHANGE


class _SameForTwo:
    """The same two indices for each of two workers, which torch serves in turn."""

    def __init__(self, source: Source) -> None:
        self._indices = first_two(source)

    def __iter__(self) -> Iterator[list[Any]]:
        for index in itertools.islice(itertools.cycle(self._indices), _READS):
            yield [index]
            yield [index]

    def __len__(self) -> int:
        return 2 * _READS


class _ReadSamples(Dataset):
    def __init__(self, dataset: Any) -> None:
        self.stands_in_for = dataset

    def __getitem__(self, index: Any) -> Reading:
        loading.prepare_worker(self.stands_in_for)
        return _reading(index, self.stands_in_for[index])


class _ReadStream(IterableDataset):
    def __init__(self, dataset: Any) -> None:
        self.stands_in_for = dataset

    def __iter__(self) -> Iterator[Reading]:
        loading.prepare_worker(self.stands_in_for)
        for index, sample in enumerate(itertools.islice(iter(self.stands_in_for), 1)):
            yield _reading(index, sample)


def _reading(index: Any, sample: Any) -> Reading:
    info = get_worker_info()
    return Reading(info.id, index, digest(sample), len(os.sched_getaffinity(0)), torch.get_num_threads())


def _first(batch: list[Any]) -> Any:
    return batch[0]
