"""``python``: a user's own factory."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from torch.utils.data import DataLoader, Dataset, IterableDataset

from loader_probe.failures import ProbeFailure
from loader_probe.roots import Limits
from loader_probe.sources import Source, required
from loader_probe.sources.user_loader import UserLoader
from loader_probe.user_code import extend_path, load_factory


def build(source: dict[str, Any], work: str, limits: Limits) -> Source:
    extend_path(source.get("python_path") or [])
    name = required(source, "factory")
    factory = load_factory(name, limits.code)
    built = factory(**(source.get("arguments") or {}))
    if isinstance(built, type):
        raise _refused(name, f"the class {built.__name__}, not an object of it")
    if isinstance(built, DataLoader):
        own = UserLoader.of(built, name)
        kind = "iterable" if isinstance(built.dataset, IterableDataset) else "map"
        return Source(kind, built.dataset, _epoch_length(built.dataset, own), own=own)
    if isinstance(built, IterableDataset):
        return Source("iterable", built, _length(built))
    if isinstance(built, Dataset) or _like_a_dataset(built):
        return Source("map", built, len(built))
    if callable(built):
        return Source("batches", built, None)
    raise _refused(name, type(built).__name__)


def _like_a_dataset(built: Any) -> bool:
    """Other libraries' datasets are no subclasses of torch's; a DataLoader takes them all the same."""
    if isinstance(built, (Mapping, str, bytes)):
        return False
    return hasattr(built, "__getitem__") and hasattr(built, "__len__")


def _epoch_length(dataset: Any, own: UserLoader) -> int | None:
    """Samples of one pass: the user's sampler may take fewer than there are. What is delivered as it is may hold any
    number of samples each, so nothing is known of them."""
    if own.unbatched:
        return None
    sampled = None if own.sampler is None or own.batch_sampler is not None else _length(own.sampler)
    return _length(dataset) if sampled is None else sampled


def _length(dataset: Any) -> int | None:
    """What an iterable, a dataset or a sampler says of its length, if anything: of an iterable never counted on."""
    try:
        return len(dataset)
    except (TypeError, NotImplementedError, AttributeError):
        return None


def _refused(name: str, received: str) -> ProbeFailure:
    return ProbeFailure(
        "dataset_error",
        f"the factory {name} returned {received}; it is to return a Dataset, an IterableDataset, a DataLoader, or a"
        " function from loader config to an iterable of batches",
        {"type": received},
    )
