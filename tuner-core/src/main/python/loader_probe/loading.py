"""From a loader config to a real ``DataLoader`` over the user's dataset, and back to what is in force."""

from __future__ import annotations

import dataclasses
import itertools
import multiprocessing
import sys
import traceback
from collections.abc import Iterator
from dataclasses import dataclass
from time import perf_counter_ns
from typing import Any

import torch
from torch.utils.data import DataLoader, IterableDataset, get_worker_info

from loader_probe import passes
from loader_probe.failures import ProbeFailure
from loader_probe.ranks import EndlessShare, Rank
from loader_probe.sources import Source

_PERMUTATION_CHUNK = 8192


@dataclass(frozen=True)
class LoaderConfig:
    """One point of the search space; the names are PyTorch's own."""

    num_workers: int
    batch_size: int
    prefetch_factor: int | None = None
    pin_memory: bool = False
    persistent_workers: bool = False
    non_blocking: bool = False
    multiprocessing_context: str | None = None

    @classmethod
    def of(cls, config: dict[str, Any]) -> LoaderConfig:
        """Reads a request's ``config``; ``invalid_config`` with a sentence where torch would have none."""
        unknown = sorted(set(config) - {field.name for field in dataclasses.fields(cls)})
        if unknown:
            raise ProbeFailure("invalid_config", f"unknown settings: {', '.join(unknown)}")
        for name, least in (("num_workers", 0), ("batch_size", 1)):
            if not _is_int(config.get(name)) or config[name] < least:
                raise ProbeFailure("invalid_config", f"{name} is a whole number from {least}, not {config.get(name)!r}")
        prefetch = config.get("prefetch_factor")
        if prefetch is not None and (not _is_int(prefetch) or prefetch < 1):
            raise ProbeFailure("invalid_config", f"prefetch_factor is a whole number from 1 or null, not {prefetch!r}")
        for name in ("pin_memory", "persistent_workers", "non_blocking"):
            if not isinstance(config.get(name, False), bool):
                raise ProbeFailure("invalid_config", f"{name} is true or false, not {config[name]!r}")
        read = cls(**{"non_blocking": bool(config.get("pin_memory", False)), **config})
        methods = multiprocessing.get_all_start_methods()
        if read.multiprocessing_context not in (None, *methods):
            raise ProbeFailure(
                "invalid_config",
                f"multiprocessing_context is one of {', '.join(methods)} or null, not {read.multiprocessing_context!r}",
            )
        if read.num_workers == 0:
            for name in ("prefetch_factor", "persistent_workers", "multiprocessing_context"):
                if getattr(read, name):
                    raise ProbeFailure(
                        "invalid_config", f"{name} means nothing without workers: leave it out where num_workers is 0"
                    )
        return read


def _is_int(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


class EndlessSampler:
    """Seeded permutations of a dataset, one after the other without end."""

    def __init__(self, length: int, seed: int) -> None:
        self._length = length
        self._generator = torch.Generator().manual_seed(seed)

    def __iter__(self) -> Iterator[int]:
        while True:
            for chunk in torch.randperm(self._length, generator=self._generator).split(_PERMUTATION_CHUNK):
                yield from chunk.tolist()


class Repeated:
    """A sampler or batch sampler of the user's own, begun again when it ends. A pass that yields nothing is the end."""

    def __init__(self, sampler: Any) -> None:
        self._sampler = sampler

    def __iter__(self) -> Iterator[Any]:
        for number in itertools.count():
            passes.begin_sampler_pass(self._sampler, number)
            empty = True
            for drawn in self._sampler:
                empty = False
                yield drawn
            if empty:
                return


class RepeatingDataset(IterableDataset):
    """Begins the user's dataset again in its worker whenever it ends. A pass that yields nothing is the end."""

    def __init__(self, dataset: Any) -> None:
        self.stands_in_for = dataset

    def __iter__(self) -> Iterator[Any]:
        prepare_worker(self.stands_in_for)
        for number in itertools.count():
            passes.begin_pass(self.stands_in_for, number)
            empty = True
            for sample in self.stands_in_for:
                empty = False
                yield sample
            if empty:
                return


def prepare_worker(dataset: Any) -> None:
    """Makes what the code of the user's dataset finds in a worker what it would find in training."""
    info = get_worker_info()
    if info is not None:
        # torch forbids plain assignment.
        object.__setattr__(info, "dataset", dataset)
        _shard_data_pipe(dataset, info)


def _shard_data_pipe(dataset: Any, info: Any) -> None:
    """What torch does for its own data pipes, which it does not recognise inside of another dataset."""
    try:
        from torch.utils.data import IterDataPipe
        from torch.utils.data.graph_settings import apply_random_seed, apply_sharding
    except ImportError:
        return
    if isinstance(dataset, IterDataPipe):
        # All workers of a loader shuffle alike, so that their shares have nothing in common.
        common_seed = info.seed - info.id
        apply_random_seed(dataset, torch.Generator().manual_seed(common_seed))
        apply_sharding(dataset, info.num_workers, info.id)


def require_full_batch(length: int | None, batch_size: int, rank: Rank | None = None) -> None:
    """``dataset_error`` for a dataset, or a rank's share of it, that cannot fill one batch."""
    if length == 0:
        raise ProbeFailure(
            "dataset_error",
            f"the dataset is empty: 0 samples, a batch takes {batch_size}",
            {"length": 0, "batch_size": batch_size},
        )
    if length is not None and length < batch_size:
        raise ProbeFailure(
            "dataset_error",
            f"the dataset has {length} samples, fewer than one batch of {batch_size}",
            {"length": length, "batch_size": batch_size},
        )
    if length is not None and rank is not None and rank.share_of(length) < batch_size:
        raise ProbeFailure(
            "dataset_error",
            f"the dataset has {length} samples, {rank.share_of(length)} for each of {rank.world_size} ranks, fewer than"
            f" one batch of {batch_size}",
            {"length": length, "ranks": rank.world_size, "batch_size": batch_size},
        )


def build_loader(source: Source, config: LoaderConfig, seed: int, worker_start: Any) -> Any:
    """An iterable of batches without end: a ``DataLoader``, or what the user's function makes of the config."""
    if source.kind == "batches":
        return source.dataset(dataclasses.asdict(config))
    if source.kind == "iterable":
        return data_loader(
            source, config, worker_start, seed, RepeatingDataset(source.dataset), **full_batches(source, config)
        )
    batching = full_batches(source, config)
    if source.own is None or source.own.batch_sampler is None:
        batching["sampler"] = endless_sampler(source, seed)
    return data_loader(source, config, worker_start, seed, source.dataset, **batching)


def endless_sampler(source: Source, seed: int) -> Any:
    """Indices without end, in the order of the user's sampler where there is one."""
    if source.own is not None:
        return Repeated(source.own.sampler)
    length = source.length or 0
    return EndlessSampler(length, seed) if source.rank is None else EndlessShare(length, source.rank, seed)


def full_batches(source: Source, config: LoaderConfig) -> dict[str, Any]:
    """What a ``DataLoader`` is told of its batches; ``dataset_error`` where the dataset cannot fill one."""
    own = source.own
    if own is not None and own.batch_sampler is not None:
        return {"batch_sampler": Repeated(own.batch_sampler)}
    if own is not None and own.unbatched:
        return {"batch_size": None}
    if source.kind == "map":
        require_full_batch(source.length, config.batch_size, source.rank)
    return {"batch_size": config.batch_size, "drop_last": True}


def data_loader(
    source: Source, config: LoaderConfig, worker_start: Any, seed: int, dataset: Any, **batching: Any
) -> DataLoader[Any]:
    """A ``DataLoader`` under this config with what the user's own decides; ``batching`` says what makes the batches."""
    own = source.own
    options = batching
    if own is not None:
        options.setdefault("collate_fn", own.collate_fn)
    if config.num_workers:
        options["worker_init_fn"] = worker_start
        users = None if own is None else own.start_method
        options["multiprocessing_context"] = config.multiprocessing_context or users
        options["persistent_workers"] = config.persistent_workers
        if config.prefetch_factor is not None:
            options["prefetch_factor"] = config.prefetch_factor
        if own is not None:
            options["worker_init_fn"] = dataclasses.replace(worker_start, users=own.worker_init_fn)
            options["timeout"] = own.timeout
            if not own.in_order:
                options.setdefault("in_order", False)
    generator = None if own is None else own.generator
    return DataLoader(
        dataset,
        num_workers=config.num_workers,
        pin_memory=config.pin_memory,
        generator=torch.Generator().manual_seed(seed) if generator is None else generator,
        **options,
    )


def start_method(source: Source, asked: str | None = None) -> str:
    """How workers are started, or would be, where a config asks for this method or for none."""
    return asked or (source.own and source.own.start_method) or default_start_method()


def default_start_method() -> str:
    """How workers are started unless told otherwise; asking does not settle it, as a plain question would."""
    return multiprocessing.get_start_method(allow_none=True) or multiprocessing.get_all_start_methods()[0]


def effective(source: Source, config: LoaderConfig, loader: Any, iterator: Any) -> dict[str, Any] | None:
    """The settings in force, read back from the loader; None where the user built it.

    ``invalid_config`` where they are not those asked for. Pinning without an accelerator is the one exception: torch
    documents that it does nothing there, and ``pin_memory`` says so by being false.
    """
    if source.kind == "batches":
        return None
    context = loader.multiprocessing_context
    frozen = source.batch_size_frozen_by is not None
    started_by_user = config.multiprocessing_context is None and source.own is not None
    read = {
        "num_workers": loader.num_workers,
        "prefetch_factor": loader.prefetch_factor if loader.num_workers else None,
        "pin_memory": bool(loader.pin_memory),
        "batch_size": config.batch_size if frozen else loader.batch_size,
        "persistent_workers": bool(loader.persistent_workers),
        "non_blocking": config.non_blocking,
        "multiprocessing_context": None if context is None or started_by_user else context.get_start_method(),
    }
    for name, value in read.items():
        asked = getattr(config, name)
        if value != asked and not (name == "prefetch_factor" and asked is None):
            raise ProbeFailure(
                "invalid_config",
                f"{name} was to be {asked!r}, but the DataLoader has {value!r}",
                {"setting": name, "requested": asked, "effective": value},
            )
    read["pin_memory"] = bool(read["pin_memory"] and getattr(iterator, "_pin_memory", True))
    return read


def tear_down(loader: Any, iterator: Any) -> dict[str, Any]:
    """Closes what has delivered and returns the event that says so. Never fails: the result has been sent."""
    begun = perf_counter_ns()
    try:
        close(loader, iterator)
    except BaseException:
        print("the loader could not be shut down cleanly:", file=sys.stderr)
        traceback.print_exc()
    return {"event": "closed", "shutdown_seconds": (perf_counter_ns() - begun) / 1e9}


def close(loader: Any, iterator: Any) -> None:
    """Ends an iterator's workers now rather than when it is collected, and breaks off what has no end."""
    for thing, name in ((iterator, "_shutdown_workers"), (iterator, "close"), (loader, "close")):
        method = getattr(thing, name, None)
        if callable(method):
            method()
