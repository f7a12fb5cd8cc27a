"""Datasets whose best setting is known by construction."""

from __future__ import annotations

import multiprocessing
import os
import time

import torch
from torch.utils.data import Dataset


class Sleeping(Dataset):
    """Waits for every sample, as if for storage: the more workers, the faster."""

    def __init__(self, samples: int, milliseconds: float) -> None:
        self.samples = samples
        self.seconds = milliseconds / 1000

    def __len__(self) -> int:
        return self.samples

    def __getitem__(self, index: int) -> torch.Tensor:
        time.sleep(self.seconds)
        return torch.full((4,), float(index))


class InMemory(Dataset):
    """Tensors that are there already: moving them between processes costs more than making them."""

    def __init__(self, samples: int) -> None:
        self.rows = torch.arange(samples * 4, dtype=torch.float32).reshape(samples, 4)

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, index: int) -> torch.Tensor:
        return self.rows[index]


class Gated(Sleeping):
    """Storage that serves only so many requests at a time: more workers than that wait for each other."""

    def __init__(self, samples: int, milliseconds: float, at_a_time: int) -> None:
        super().__init__(samples, milliseconds)
        self.gate = multiprocessing.get_context("fork").Semaphore(at_a_time)

    def __getitem__(self, index: int) -> torch.Tensor:
        with self.gate:
            return super().__getitem__(index)


def sleeping(samples: int = 4096, milliseconds: float = 20) -> Dataset:
    return Sleeping(samples, milliseconds)


def in_memory(samples: int = 200_000) -> Dataset:
    return InMemory(samples)


def gated(samples: int = 4096, milliseconds: float = 10, at_a_time: int = 2) -> Dataset:
    return Gated(samples, milliseconds, at_a_time)


class HangingInWorkers(Dataset):
    """Works in the process that made it and hangs in any other, as with a lock that was held when it forked."""

    def __init__(self, samples: int) -> None:
        self.samples = samples
        self.made_by = os.getpid()

    def __len__(self) -> int:
        return self.samples

    def __getitem__(self, index: int) -> torch.Tensor:
        if os.getpid() != self.made_by:
            self.wait_for_ever()
        time.sleep(0.001)
        return torch.zeros(4)

    def wait_for_ever(self) -> None:
        while True:
            time.sleep(3600)


def hanging_in_workers(samples: int = 512) -> Dataset:
    return HangingInWorkers(samples)
