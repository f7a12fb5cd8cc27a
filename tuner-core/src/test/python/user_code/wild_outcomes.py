"""Datasets for what a study makes of its trials' outcomes: large samples, samples that break, a config that hangs."""

from __future__ import annotations

import os
import time

import torch
from torch.utils.data import Dataset, get_worker_info


class Samples(Dataset):
    """Small samples; each takes a millisecond."""

    def __len__(self):
        return 512

    def __getitem__(self, index):
        time.sleep(0.001)
        return torch.zeros(4)


class Large(Samples):
    """Samples of one MiB."""

    def __getitem__(self, index):
        return torch.zeros(1 << 18)


class Broken(Samples):
    """Reads so many samples in a process and no more, as where a file ends early."""

    def __init__(self, readable):
        self.readable = readable
        self.read = 0

    def __getitem__(self, index):
        self.read += 1
        if self.read > self.readable:
            raise ValueError(f"sample {index} is broken")
        return super().__getitem__(index)


class Choosy(Samples):
    """Fails, or hangs, where there are so many workers."""

    def __init__(self, failing=(), hanging=()):
        self.failing = failing
        self.hanging = hanging

    def __getitem__(self, index):
        info = get_worker_info()
        workers = 0 if info is None else info.num_workers
        if workers in self.failing:
            raise OSError(f"{workers} workers are too many for this storage")
        if workers in self.hanging:
            time.sleep(3600)
        return super().__getitem__(index)


class Talkative(Samples):
    """Prints the whole environment with every sample."""

    def __getitem__(self, index):
        print(f"sample {index} of {sorted(os.environ.items())}", flush=True)
        return super().__getitem__(index)


def plain():
    return Samples()


def large():
    return Large()


def broken():
    return Broken(readable=40)


def choosy(failing=(), hanging=()):
    return Choosy(failing, hanging)


def talkative():
    print(f"built with {sorted(os.environ.items())}", flush=True)
    return Talkative()
