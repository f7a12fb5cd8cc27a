"""Datasets read by several ranks, and samplers that want to be told the epoch."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import torch
from torch.utils.data import DataLoader, Dataset, IterableDataset
from torch.utils.data.distributed import DistributedSampler


def own_rank() -> int:
    return int(os.environ.get("RANK", "0"))


class ByRank(Dataset):
    """Sleeps so many milliseconds a sample, by the rank that reads it; a sample is its index and its reader's rank."""

    def __init__(self, samples: int, milliseconds: list[float]) -> None:
        self.samples = samples
        self.seconds = milliseconds[own_rank()] / 1000

    def __len__(self) -> int:
        return self.samples

    def __getitem__(self, index: int) -> torch.Tensor:
        time.sleep(self.seconds)
        return torch.tensor([index, own_rank()])


class DyingInRankOne(ByRank):
    """The process that reads for rank 1 is killed."""

    def __getitem__(self, index: int) -> torch.Tensor:
        if own_rank() == 1 and torch.utils.data.get_worker_info() is not None:
            os.kill(os.getpid(), signal.SIGKILL)
        return super().__getitem__(index)


class Stream(IterableDataset):
    """Samples that name the rank as the environment of their process does."""

    def __iter__(self) -> Iterator[torch.Tensor]:
        for _ in range(64):
            yield torch.tensor([int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"]), int(os.environ["LOCAL_RANK"])])


class NotedSampler(DistributedSampler):
    """Writes down the epochs that it is told."""

    def __init__(self, notes: str, length: int) -> None:
        super().__init__(range(length), num_replicas=1, rank=0)
        self.notes = notes

    def set_epoch(self, epoch: int) -> None:
        super().set_epoch(epoch)
        with Path(self.notes).open("a", encoding="ascii") as file:
            file.write(f"{epoch}\n")


def by_rank(samples: int = 4096, milliseconds: list[float] | None = None) -> Dataset:
    return ByRank(samples, milliseconds or [1.0] * 64)


def dying_in_rank_one() -> Dataset:
    return DyingInRankOne(4096, [1.0, 1.0])


class StoppingInWorkers(ByRank):
    """Says in a worker that the epoch is over when it is not."""

    def __getitem__(self, index: int) -> torch.Tensor:
        if torch.utils.data.get_worker_info() is not None:
            raise StopIteration
        return super().__getitem__(index)


def stopping_in_workers() -> Dataset:
    print(f"built by {own_rank()}")
    return StoppingInWorkers(64, [0.0, 0.0])


def stream() -> Dataset:
    return Stream()


def unequal(batches: list[int], milliseconds: float = 10) -> Callable[..., Any]:
    """A function to batches that come to an end after another number of them in each rank."""

    def load(config: dict[str, Any], rank: int, world_size: int) -> list[torch.Tensor]:
        class Passing:
            def __iter__(self) -> Iterator[torch.Tensor]:
                for _ in range(batches[rank]):
                    time.sleep(milliseconds / 1000)
                    yield torch.zeros(config["batch_size"], world_size)

        return Passing()  # type: ignore[return-value]

    return load


def deaf_to_ranks() -> Callable[..., Any]:
    """A function to batches that is not told its rank."""
    return lambda config: [torch.zeros(config["batch_size"])]


def own_sampler(notes: str, samples: int = 64) -> Callable[..., Any]:
    """A ``DataLoader`` of the user's own over a ``DistributedSampler`` that nobody tells the epoch."""

    def load(config: dict[str, Any]) -> DataLoader:
        return DataLoader(
            ByRank(samples, [1.0]),
            batch_size=config["batch_size"],
            num_workers=config["num_workers"],
            sampler=NotedSampler(notes, samples),
        )

    return load


def distributed(samples: int, ranks: int) -> DataLoader:
    """A ``DataLoader`` whose sampler draws this rank's part."""
    dataset = ByRank(samples, [0.0])
    return DataLoader(dataset, batch_size=4, sampler=DistributedSampler(dataset, num_replicas=ranks, rank=own_rank()))
