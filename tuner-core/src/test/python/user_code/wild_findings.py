"""Datasets with habits that no failure tells of: pauses, copies, repeated random numbers, narrowed processors."""

from __future__ import annotations

import mmap
import multiprocessing.util
import os
import random
import time

import torch
from torch.utils.data import DataLoader, Dataset, IterableDataset, Sampler, get_worker_info

try:
    import numpy
except ImportError:
    numpy = None


class Sleeping(Dataset):
    """Waits for every sample; for one of them a long time."""

    def __init__(self, samples, milliseconds, slow=None, slow_milliseconds=0):
        self.samples = samples
        self.seconds = milliseconds / 1000
        self.slow = slow
        self.slow_seconds = slow_milliseconds / 1000

    def __len__(self):
        return self.samples

    def __getitem__(self, index):
        time.sleep(self.slow_seconds if index == self.slow else self.seconds)
        return torch.full((4,), float(index))


def sleeping(samples=4096, milliseconds=10, slow=None, slow_milliseconds=0):
    return Sleeping(samples, milliseconds, slow, slow_milliseconds)


class Strings(Dataset):
    """A list of Python strings: each read counts a reference, which writes to the page that it lies on."""

    def __init__(self, count, characters):
        self.strings = [f"{number:0{characters}}" for number in range(count)]

    def __len__(self):
        return len(self.strings)

    def __getitem__(self, index):
        return torch.tensor(len(self.strings[index]))


def strings(count, characters=9):
    return Strings(count, characters)


class Augmented(Dataset):
    """Adds noise from a generator of the named kind."""

    def __init__(self, kind):
        self.kind = kind
        self.generator = random.Random(1)

    def __len__(self):
        return 1000

    def __getitem__(self, index):
        time.sleep(0.002)
        if self.kind == "made in init":
            return torch.tensor(self.generator.random() + index)
        if self.kind == "torch":
            return torch.rand(3) + index
        if self.kind == "python":
            return torch.tensor(random.random() + index)
        if self.kind == "numpy":
            return torch.tensor(numpy.random.rand() + index)
        if self.kind == "flip":
            return torch.tensor([index, random.random() < 0.5])
        return torch.tensor(float(index))


def augmented(kind):
    return Augmented(kind)


def narrowed():
    """Leaves one processor, as some libraries do when they are imported."""
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    return Sleeping(4096, 2)


class Threaded(Sleeping):
    """Asks for more threads in each worker than torch gives it."""

    def __init__(self, threads):
        super().__init__(4096, 2)
        self.threads = threads

    def __getitem__(self, index):
        if get_worker_info() is not None:
            torch.set_num_threads(self.threads)
        return super().__getitem__(index)


def threaded(threads):
    return Threaded(threads)


class Cold(Dataset):
    """Waits for what nobody has read before, as without a page cache; all processes map the file that says what was."""

    def __init__(self, path, samples, cold_milliseconds, warm_milliseconds):
        self.samples = samples
        self.cold_seconds = cold_milliseconds / 1000
        self.warm_seconds = warm_milliseconds / 1000
        with open(path, "a+b") as file:
            file.truncate(samples)
            self.read = mmap.mmap(file.fileno(), samples)

    def __len__(self):
        return self.samples

    def __getitem__(self, index):
        time.sleep(self.warm_seconds if self.read[index] else self.cold_seconds)
        self.read[index] = 1
        return torch.full((4,), float(index))


def cold(path, samples, cold_milliseconds, warm_milliseconds):
    return Cold(path, samples, cold_milliseconds, warm_milliseconds)


class Pausing(IterableDataset):
    """Prepares every pass for a while, then yields its share of the samples."""

    def __init__(self, samples, pause_milliseconds, milliseconds):
        self.samples = samples
        self.pause_seconds = pause_milliseconds / 1000
        self.seconds = milliseconds / 1000

    def __len__(self):
        return self.samples

    def __iter__(self):
        info = get_worker_info()
        first, step = (0, 1) if info is None else (info.id, info.num_workers)
        time.sleep(self.pause_seconds)
        for number in range(first, self.samples, step):
            time.sleep(self.seconds)
            yield torch.tensor(number)


def pausing(samples, pause_milliseconds, milliseconds):
    return Pausing(samples, pause_milliseconds, milliseconds)


def as_fast_as(path):
    """Batches in the seconds each that the file at ``path`` holds when the loader is made."""

    def build(config):
        with open(path) as named:
            seconds = float(named.read())

        def batches():
            while True:
                time.sleep(seconds)
                yield torch.zeros(config["batch_size"], 2)

        return batches()

    return build


class Passes:
    """Batches that are waited for, and before each pass of them a pause."""

    def __init__(self, batches, milliseconds, pause_milliseconds, batch_size):
        self.batches = batches
        self.seconds = milliseconds / 1000
        self.pause_seconds = pause_milliseconds / 1000
        self.batch = torch.zeros(batch_size, 2)

    def __iter__(self):
        time.sleep(self.pause_seconds)
        for _ in range(self.batches):
            time.sleep(self.seconds)
            yield self.batch


def passes(batches, milliseconds, pause_milliseconds):
    return lambda config: Passes(batches, milliseconds, pause_milliseconds, config["batch_size"])


class SlowToBegin(Sampler):
    """Begins every pass after a pause, in the process that starts the workers."""

    def __init__(self, samples, milliseconds):
        self.samples = samples
        self.seconds = milliseconds / 1000

    def __iter__(self):
        time.sleep(self.seconds)
        return iter(range(self.samples))

    def __len__(self):
        return self.samples


class FirstSampleSlow(Sleeping):
    """Takes its time over the first sample that a process reads."""

    def __init__(self, samples, milliseconds, first_milliseconds):
        super().__init__(samples, milliseconds)
        self.first_seconds = first_milliseconds / 1000

    def __getitem__(self, index):
        time.sleep(self.first_seconds)
        self.first_seconds = 0
        return super().__getitem__(index)


def slow_parts(sampler_milliseconds, worker_milliseconds, sample_milliseconds, exit_milliseconds):
    """A loader whose every part is slow but the samples: what begins the pass, starts, reads first, and ends."""

    def slow_worker(worker):
        time.sleep(worker_milliseconds / 1000)
        multiprocessing.util.Finalize(None, time.sleep, args=(exit_milliseconds / 1000,), exitpriority=1)

    samples = 100_000
    return DataLoader(
        FirstSampleSlow(samples, 5, sample_milliseconds),
        batch_size=4,
        sampler=SlowToBegin(samples, sampler_milliseconds),
        num_workers=2,
        worker_init_fn=slow_worker,
    )
