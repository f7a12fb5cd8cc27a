"""What can be loaded: one module per source kind, each with a function that builds the dataset from its JSON."""

from __future__ import annotations

import dataclasses
import importlib
import os
from dataclasses import dataclass
from typing import Any

from loader_probe.failures import ProbeFailure
from loader_probe.ranks import Rank
from loader_probe.roots import NO_LIMITS, Limits, Roots
from loader_probe.sources.user_loader import UserLoader

_MODULES = {
    "image_folder": "loader_probe.sources.image_folder",
    "array": "loader_probe.sources.array",
    "tar_shards": "loader_probe.sources.tar_shards",
    "python": "loader_probe.sources.python_factory",
    "synthetic": "loader_probe.sources.synthetic",
}


@dataclass(frozen=True)
class Source:
    """A dataset with its ``kind``: ``map``, ``iterable``, or ``batches`` for a function from config to batches.

    ``rank`` is the one that reads a share of it; None where one process reads all.
    ``own`` is what a ``DataLoader`` of the user's decides, where the factory returned one.
    """

    kind: str
    dataset: Any
    length: int | None
    rank: Rank | None = None
    own: UserLoader | None = None

    @property
    def batch_size_frozen_by(self) -> str | None:
        """``batch_sampler`` or ``batch_size=None`` where the user's loader leaves no batch size to choose."""
        return None if self.own is None else self.own.batch_size_frozen_by

    @property
    def samples_of_a_scalar(self) -> int | None:
        """One where the user's own loader makes no batches: an item in which nothing can be counted is a sample."""
        return 1 if self.own is not None and self.own.unbatched else None


def build_source(source: dict[str, Any], work: str, limits: Limits = NO_LIMITS) -> Source:
    """Builds what a descriptor's ``source`` describes; ``work`` is a private folder for what has to be written."""
    module = _MODULES.get(source.get("kind", ""))
    if module is None:
        raise ProbeFailure("invalid_config", f"source.kind is one of {', '.join(_MODULES)}, not {source.get('kind')!r}")
    # Imported on demand: only the built-in sources of images and arrays need more than torch.
    return importlib.import_module(module).build(source, work, limits)


def divide(source: Source, rank: Rank) -> Source:
    """The same for one of several ranks. An ``IterableDataset`` divides itself, by the variables that launchers set.

    So does a sampler of the user's own: what it says of its length is this rank's part of what all ranks read.
    """
    dataset = rank.calling(source.dataset) if source.kind == "batches" else source.dataset
    own_part = source.own is not None and source.length is not None
    length = source.length * rank.world_size if own_part else source.length
    return dataclasses.replace(source, dataset=dataset, length=length, rank=rank)


def required(source: dict[str, Any], name: str) -> Any:
    """A field that the source cannot do without."""
    value = source.get(name)
    if value is None:
        raise ProbeFailure("invalid_config", f"a source of kind {source['kind']} needs {name}")
    return value


def require_inside(path: str, roots: Roots) -> None:
    """``dataset_error`` where a path, links resolved, leads out of the roots."""
    if not roots.hold(path):
        real = os.path.realpath(path)
        raise ProbeFailure(
            "dataset_error",
            f"{path} leads to {real}, outside of loader-tuner.data-roots ({roots})",
            {"path": path, "leads_to": real},
        )


def whole_number(source: dict[str, Any], name: str, default: int | None, least: int) -> Any:
    """A whole number from ``least``."""
    value = source.get(name)
    if value is None:
        return default
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise ProbeFailure("invalid_config", f"source.{name} is a whole number from {least}, not {value!r}")
    return value
