"""From a loader config to a real ``DataLoader`` over the user's dataset, and back to what is in force."""

from __future__ import annotations

import dataclasses
import itertools
import multiprocessing
from collections.abc import Iterator
from dataclasses import dataclass
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


class RepeatingDataset(IterableDataset):
    """Begins the user's dataset again in its worker whenever it ends. A pass that yields nothing is the end."""

    def __init__(self, dataset: Any) -> None:
        self.dataset = dataset

    def __iter__(self) -> Iterator[Any]:
        info = get_worker_info()
        if info is not None:
            # The user's code finds its own object there, as it would in training; torch forbids plain assignment.
            object.__setattr__(info, "dataset", self.dataset)
            _shard_data_pipe(self.dataset, info)
        for number in itertools.count():
            passes.begin_pass(self.dataset, number)
            empty = True
            for sample in self.dataset:
                empty = False
                yield sample
            if empty:
                return


def _shard_data_pipe(dataset: Any, info: Any) -> None:
    """What torch does for its own data pipes, which it does not recognise inside of another dataset."""
    try:
        from torch.utils.data import IterDataPipe
        from torch.utils.data.graph_settings import apply_sharding
    except ImportError:
        return
    if isinstance(dataset, IterDataPipe):
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
    options: dict[str, Any] = {}
    if source.kind == "map":
        length = source.length or 0
        require_full_batch(source.length, config.batch_size, source.rank)
        options["sampler"] = (
            EndlessSampler(length, seed) if source.rank is None else EndlessShare(length, source.rank, seed)
        )
    if config.num_workers:
        options["worker_init_fn"] = worker_start
        options["multiprocessing_context"] = config.multiprocessing_context
        options["persistent_workers"] = config.persistent_workers
        if config.prefetch_factor is not None:
            options["prefetch_factor"] = config.prefetch_factor
    return DataLoader(
        RepeatingDataset(source.dataset) if source.kind == "iterable" else source.dataset,
        batch_size=config.batch_size,
        num_workers=config.num_workers,
        pin_memory=config.pin_memory,
        drop_last=True,
        generator=torch.Generator().manual_seed(seed),
        **options,
    )


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
    read = {
        "num_workers": loader.num_workers,
        "prefetch_factor": loader.prefetch_factor if loader.num_workers else None,
        "pin_memory": bool(loader.pin_memory),
        "batch_size": loader.batch_size,
        "persistent_workers": bool(loader.persistent_workers),
        "non_blocking": config.non_blocking,
        "multiprocessing_context": None if context is None else context.get_start_method(),
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


def close(loader: Any, iterator: Any) -> None:
    """Ends an iterator's workers now rather than when it is collected, and breaks off what has no end."""
    for thing, name in ((iterator, "_shutdown_workers"), (iterator, "close"), (loader, "close")):
        method = getattr(thing, name, None)
        if callable(method):
            method()
