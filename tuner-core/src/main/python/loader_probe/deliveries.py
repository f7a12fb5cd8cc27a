"""What a config delivers in a bounded pass, as digests: what the tuner compares with what 0 workers deliver."""

from __future__ import annotations

import contextlib
import copy
import dataclasses
import itertools
import os
import zlib
from collections.abc import Iterator
from time import perf_counter
from typing import Any

import torch
from torch.utils.data import Dataset, default_collate, get_worker_info
from torch.utils.data._utils import worker as torch_worker

from loader_probe import cgroups, child_deaths, loading
from loader_probe.batches import count_bytes, count_samples
from loader_probe.digests import count_digests, folded, leaves
from loader_probe.failures import Context, ProbeFailure, classify
from loader_probe.loading import LoaderConfig
from loader_probe.seeds import seed_all
from loader_probe.session import Session
from loader_probe.sources import Source

_MOST_BYTES = 64 * 1024 * 1024
_MOST_DIGESTS = 16 * 1024


class Deliveries:
    """Runs one ``deliveries`` request.

    A map-style dataset is read in given batches of indices, so that each batch can be compared with the same one
    elsewhere; random number generators are seeded before every one. An iterable is read sample by sample, in one pass.
    """

    def __init__(self, session: Session, request: dict[str, Any]) -> None:
        self._session = session
        self._source = session.source
        self._config = LoaderConfig.of(request["config"])
        self._seed = int(request["seed"])
        self._worker_seed = int(request["worker_seed"])
        self._in_turn_as = int(request.get("in_turn_as", 0))
        self._most = int(request["most_batches"])
        self._seconds = float(request["seconds"])
        self._asked: list[Any] | None = None
        if self._source.kind == "map":
            given = request["batches"]
            size = int(request["samples_per_batch"])
            self._asked = _draw(self._source, self._most, size, self._seed) if given is None else _indices(given)
        own = self._source.own
        self._batches_itself = self._source.kind == "batches" or (
            self._source.kind == "iterable" and own is not None and own.unbatched
        )
        self._loader: Any = None
        self._iterator: Any = None
        self._oom_kills = cgroups.oom_kills()
        with contextlib.suppress(FileNotFoundError):
            os.unlink(session.worker_start.notes_path)

    def read(self) -> dict[str, Any]:
        """The batches in their order, and whether the pass came to its end. Raises ``ProbeFailure``."""
        threads = torch.get_num_threads()
        try:
            # As in workers: the last bits of a sum depend on the number of threads.
            torch.set_num_threads(1)
            with child_deaths.set_aside():
                seed_all(self._seed)
                self._loader = self._build()
                self._iterator = iter(self._loader)
            batches, ended = self._take()
            child_deaths.ignore()
            return {"batches": batches, "ended": ended, "asked": self._asked and len(self._asked)}
        except BaseException as error:
            child_deaths.ignore()
            raise classify(
                error,
                Context(
                    iterator=self._iterator,
                    dataset=self._source.dataset,
                    own=self._source.own,
                    oom_kills_before=self._oom_kills,
                    notes_path=self._session.worker_start.notes_path,
                ),
            ) from error
        finally:
            torch.set_num_threads(threads)

    def close(self) -> dict[str, Any]:
        """Tears the loader down and returns the event that says so."""
        event = loading.tear_down(self._loader, self._iterator)
        self._loader = self._iterator = None
        return event

    def _build(self) -> Any:
        source, config, start = self._source, self._config, self._session.worker_start
        if source.kind == "batches":
            return source.dataset(dataclasses.asdict(config))
        own = source.own
        unbatched = own is not None and own.unbatched
        if source.kind == "map":
            batching: dict[str, Any] = (
                {"batch_size": None, "sampler": self._asked} if unbatched else {"batch_sampler": self._asked}
            )
            if own is not None and not own.in_order:
                batching["in_order"] = True
            return loading.data_loader(
                source, config, start, self._worker_seed, SeededReads(source.dataset, self._seed), **batching
            )
        collate = Tagged(default_collate if own is None else own.collate_fn)
        as_workers = InTurn(source.dataset, self._in_turn_as, self._worker_seed)
        return loading.data_loader(
            source,
            config,
            start,
            self._worker_seed,
            as_workers if self._in_turn_as else OnePass(source.dataset),
            batch_size=None if unbatched else 1,
            collate_fn=collate,
        )

    def _take(self) -> tuple[list[dict[str, Any]], bool]:
        taken: list[dict[str, Any]] = []
        most = self._most if self._asked is None else len(self._asked)
        seen_bytes = digests = 0
        begun = perf_counter() if self._config.num_workers == 0 else None
        for delivered in self._iterator:
            worker, batch = delivered if self._source.kind == "iterable" else (None, delivered)
            count = count_samples(batch, len(taken), otherwise=1)
            indices = None if self._asked is None else self._asked[len(taken)]
            parts = leaves(batch, count)
            # Of batches that the dataset makes only the whole can be compared.
            if self._batches_itself or count_digests(parts) > _MOST_DIGESTS:
                parts = folded(parts)
            taken.append({"indices": indices, "worker": worker, "samples": count, "leaves": parts})
            begun = perf_counter() if begun is None else begun
            seen_bytes += count_bytes(batch)
            digests += count_digests(parts)
            if len(taken) == most and self._asked is None:
                return taken, False
            seen_enough = seen_bytes >= _MOST_BYTES or digests >= _MOST_DIGESTS
            if len(taken) < most and (perf_counter() - begun >= self._seconds or seen_enough):
                return taken, False
        return taken, True


class SeededReads(Dataset):
    """The user's dataset with all random number generators seeded before a batch, so that it is the same anywhere."""

    def __init__(self, dataset: Any, seed: int) -> None:
        self.stands_in_for = dataset
        self._seed = seed

    def __getitem__(self, index: Any) -> Any:
        self._begin(index)
        return self.stands_in_for[index]

    def __getitems__(self, indices: list[Any]) -> Any:
        self._begin(indices[0] if indices else 0)
        bulk = getattr(self.stands_in_for, "__getitems__", None)
        return bulk(indices) if callable(bulk) else [self.stands_in_for[index] for index in indices]

    def _begin(self, index: Any) -> None:
        info = get_worker_info()
        if info is not None and info.dataset is self:
            object.__setattr__(info, "dataset", self.stands_in_for)
        seed_all(self._seed + zlib.crc32(repr(index).encode()))


class OnePass(loading.RepeatingDataset):
    """The user's iterable as it is, read once."""

    def __iter__(self) -> Iterator[Any]:
        loading.prepare_worker(self.stands_in_for)
        return iter(self.stands_in_for)


class InTurn(loading.RepeatingDataset):
    """The user's iterable as so many workers read it, one after the other in the loading process itself.

    Only the user's code takes this process for a worker. What it does to itself in a worker outlives the pass in part:
    the process is of no use for other readings then.
    """

    def __init__(self, dataset: Any, workers: int, seed: int) -> None:
        super().__init__(dataset)
        self._workers = workers
        self._seed = seed

    def __iter__(self) -> Iterator[Any]:
        for number in range(self._workers):
            # Workers have copies of their own, which some cut down to their share.
            dataset = copy.copy(self.stands_in_for)
            info = torch_worker.WorkerInfo(
                id=number, num_workers=self._workers, seed=self._seed + number, dataset=dataset
            )
            with _taken_for(info):
                loading.prepare_worker(dataset)
                samples = iter(dataset)
            while True:
                with _taken_for(info):
                    sample = next(samples, _END)
                if sample is _END:
                    break
                yield sample


_END = object()


@contextlib.contextmanager
def _taken_for(info: Any) -> Iterator[None]:
    torch_worker._worker_info = info
    try:
        yield
    finally:
        torch_worker._worker_info = None


@dataclasses.dataclass(frozen=True)
class Tagged:
    """A ``collate_fn`` that says which worker it ran in, None in the loading process itself."""

    collate: Any

    def __call__(self, samples: Any) -> tuple[int | None, Any]:
        info = get_worker_info()
        return (None if info is None else info.id), self.collate(samples)


def _draw(source: Source, most: int, size: int, seed: int) -> list[Any]:
    """Batches of indices as training asks for them, none of them twice; from the user's sampler where there is one."""
    own = source.own
    if own is not None and own.batch_sampler is not None:
        return _readable([list(batch) for batch in itertools.islice(own.batch_sampler, most)])
    if own is not None and own.unbatched:
        return _readable(list(itertools.islice(own.sampler, most)))
    drawn = loading.endless_sampler(source, seed) if own is None else own.sampler
    indices = list(itertools.islice(drawn, most * size if own is not None else min(most * size, _length(source))))
    return _readable([indices[begin : begin + size] for begin in range(0, len(indices), size)])


def _length(source: Source) -> int:
    """Of the dataset, or of the rank's share of it."""
    length = source.length or 0
    return length if source.rank is None else source.rank.share_of(length)


def _readable(value: Any) -> Any:
    """Indices as JSON can hold them, lists and tuples apart; ``runner_error`` for others, which cannot be sent on."""
    if isinstance(value, tuple):
        return tuple(_readable(item) for item in value)
    if isinstance(value, list):
        return [_readable(item) for item in value]
    if isinstance(value, str):
        return value
    as_int = getattr(value, "__index__", None)
    if as_int is None:
        raise ProbeFailure("runner_error", f"the sampler yields {type(value).__name__}, which cannot be sent on")
    return as_int()


def _indices(given: list[Any]) -> list[Any]:
    """Back from JSON: an index that is a list was a tuple."""
    return [
        [tuple(index) if isinstance(index, list) else index for index in batch] if isinstance(batch, list) else batch
        for batch in given
    ]
