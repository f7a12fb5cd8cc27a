"""Datasets that have to do with a GPU, or with the memory on the way to it."""

from __future__ import annotations

import time

import torch
from torch.utils.data import Dataset


class Table(Dataset):
    """Rows of a table that lies on a device; the row is delivered there or in host memory."""

    def __init__(self, table: torch.Tensor, deliver_on: str, seconds: float = 0.0) -> None:
        self.table = table
        self.deliver_on = deliver_on
        self.seconds = seconds

    def __len__(self) -> int:
        return len(self.table)

    def __getitem__(self, index: int) -> torch.Tensor:
        time.sleep(self.seconds)
        return self.table[index].to(self.deliver_on)


class Large(Dataset):
    """Samples of so many bytes."""

    def __init__(self, size: int) -> None:
        self.size = size

    def __len__(self) -> int:
        return 64

    def __getitem__(self, index: int) -> torch.Tensor:
        return torch.zeros(self.size, dtype=torch.uint8)


def small() -> Dataset:
    return Table(torch.zeros(4096, 4), "cpu")


def waiting() -> Dataset:
    return Table(torch.zeros(4096, 4), "cpu", seconds=0.005)


def on_gpu() -> Dataset:
    return Table(torch.zeros(4096, 4, device="cuda"), "cuda")


def table_on_gpu() -> Dataset:
    return Table(torch.zeros(4096, 4, device="cuda"), "cpu")


def large(mebibytes: int) -> Dataset:
    return Large(mebibytes << 20)
