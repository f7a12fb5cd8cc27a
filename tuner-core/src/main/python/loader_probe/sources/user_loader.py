"""A ``DataLoader`` of the user's own: what it decides beside the settings that are tuned."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from torch.utils.data import DataLoader, IterableDataset

from loader_probe.failures import ProbeFailure


@dataclass(frozen=True)
class UserLoader:
    """What every loader over the dataset keeps.

    ``sampler`` is None for an ``IterableDataset``, ``batch_sampler`` where torch puts the batches together.
    ``unbatched`` is ``batch_size=None``: what the dataset yields is delivered as it is. ``timeout`` is in seconds.
    ``drop_last`` is not kept: a pass that begins again has no last batch.
    """

    sampler: Any
    batch_sampler: Any
    unbatched: bool
    collate_fn: Any
    worker_init_fn: Any
    generator: Any
    timeout: float
    start_method: str | None
    in_order: bool

    @classmethod
    def of(cls, loader: DataLoader[Any], factory: str) -> UserLoader:
        """Takes a loader apart; ``dataset_error`` where it does more than a plain one."""
        kind = type(loader)
        if kind.__iter__ is not DataLoader.__iter__:
            raise ProbeFailure(
                "dataset_error",
                f"the factory {factory} returned a {kind.__name__}, which iterates in a way of its own and cannot be"
                " built anew for each config; return a function from loader config to such a loader",
                {"type": kind.__name__},
            )
        iterable = isinstance(loader.dataset, IterableDataset)
        auto = loader.batch_size is not None
        context = loader.multiprocessing_context
        return cls(
            sampler=None if iterable else loader.sampler,
            batch_sampler=None if auto else loader.batch_sampler,
            unbatched=not auto and loader.batch_sampler is None,
            collate_fn=loader.collate_fn,
            worker_init_fn=loader.worker_init_fn,
            generator=loader.generator,
            timeout=loader.timeout,
            start_method=None if context is None else context.get_start_method(),
            in_order=getattr(loader, "in_order", True),
        )

    @property
    def batch_size_frozen_by(self) -> str | None:
        """What makes the batches instead of a batch size, as the user wrote it."""
        if self.unbatched:
            return "batch_size=None"
        return None if self.batch_sampler is None else "batch_sampler"
