"""The request ``epoch_gap``: the pause between two passes, where the loader is used as a training script does."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from time import perf_counter
from typing import Any

from torch.utils.data import IterableDataset

from loader_probe import child_deaths, loading, passes
from loader_probe.loading import LoaderConfig
from loader_probe.session import Session


def epoch_gap(session: Session, config: LoaderConfig, seed: int) -> dict[str, Any]:
    """Seconds from one pass's last batch to the next one's first; None where that is not known.

    A pass has one batch per worker: its end and its beginning are those of a whole epoch. A pass over an iterable of
    batches cannot be made short: known is what an earlier round of the config saw.
    """
    if session.source.kind == "batches":
        return {"epoch_gap_seconds": session.epoch_gaps.get(config)}
    loader = _short_passes(session, config, seed)
    iterator = None
    try:
        with child_deaths.set_aside():
            iterator = iter(loader)
        ended = None
        for _batch in iterator:
            ended = perf_counter()
        passes.begin_pass(session.source.own, 1)
        with child_deaths.set_aside():
            iterator = iter(loader)
        if ended is None or next(iterator, None) is None:
            return {"epoch_gap_seconds": None}
        return {"epoch_gap_seconds": perf_counter() - ended}
    finally:
        child_deaths.ignore()
        loading.close(loader, iterator)


def _short_passes(session: Session, config: LoaderConfig, seed: int) -> Any:
    source, own = session.source, session.source.own
    batches = max(1, config.num_workers)
    batching = loading.full_batches(source, config)
    samples = batching.get("batch_size") or 1
    if source.kind == "iterable":
        return loading.data_loader(
            source, config, session.worker_start, seed, _Beginning(source.dataset, samples), **batching
        )
    if own is None:
        batching["sampler"] = _NextSamples(loading.endless_sampler(source, seed), batches * samples)
    elif own.batch_sampler is not None:
        batching["batch_sampler"] = _BeginningOfPasses(own.batch_sampler, batches)
    else:
        batching["sampler"] = _BeginningOfPasses(own.sampler, batches * samples)
    return loading.data_loader(source, config, session.worker_start, seed, source.dataset, **batching)


class _NextSamples:
    """Every pass goes on where the last one stopped, so that none reads what another has just read."""

    def __init__(self, endless: Any, samples: int) -> None:
        self._endless = iter(endless)
        self._samples = samples

    def __iter__(self) -> Iterator[int]:
        return itertools.islice(self._endless, self._samples)


class _BeginningOfPasses:
    """The first of what a sampler or batch sampler of the user's own yields in every pass, which it begins anew."""

    def __init__(self, sampler: Any, most: int) -> None:
        self._sampler = sampler
        self._most = most

    def __iter__(self) -> Iterator[Any]:
        return itertools.islice(iter(self._sampler), self._most)


class _Beginning(IterableDataset):
    """The first samples that the user's dataset yields in a worker."""

    def __init__(self, dataset: Any, samples: int) -> None:
        self.stands_in_for = dataset
        self._samples = samples

    def __iter__(self) -> Iterator[Any]:
        loading.prepare_worker(self.stands_in_for)
        return itertools.islice(iter(self.stands_in_for), self._samples)
