"""Datasets as people write them, and as they go wrong. What happens is read from a file as late as possible, so that
one probe can be led through many misfortunes."""

from __future__ import annotations

import ctypes
import os
import signal
import sqlite3
import sys
import threading
import time
from collections import namedtuple
from pathlib import Path

import torch
from torch.utils.data import Dataset, IterableDataset, get_worker_info


class TwoArgumentsError(Exception):
    def __init__(self, first, second):
        super().__init__(first, second)


def _break(what, index):
    if what == "value_error":
        raise ValueError(f"sample {index} is broken")
    if what == "key_error":
        raise KeyError(f"sample {index}")
    if what == "two_arguments":
        raise TwoArgumentsError("sample", index)
    if what == "none_sample":
        return None
    if what == "shapes":
        return torch.zeros(3 + index % 2)
    if what == "sigkill":
        os.kill(os.getpid(), signal.SIGKILL)
    if what == "sigsegv":
        ctypes.string_at(0)
    if what == "sigbus":
        os.kill(os.getpid(), signal.SIGBUS)
    if what == "sys_exit":
        sys.exit(0)
    if what == "os_exit":
        os._exit(3)
    if what == "interrupt":
        raise KeyboardInterrupt
    if what == "memory_error":
        raise MemoryError("no room for sample")
    if what == "many_files":
        raise OSError(24, "Too many open files")
    if what == "lazy_import":
        import a_package_that_does_not_exist  # noqa: F401
    if what == "prints":
        print('{"id": 1, "result": "printed"}', flush=True)
        os.write(1, b'{"id": 1, "result": "written"}\n')
    return torch.zeros(3)


class Wild(Dataset):
    """Does what the file says."""

    def __init__(self, script):
        self.script = script

    def __len__(self):
        return 64

    def __getitem__(self, index):
        return _break(Path(self.script).read_text(encoding="utf-8"), index)


def wild(script):
    print("building the dataset")
    os.write(1, b"written to descriptor 1\n")
    return Wild(script)


class Hanging(Dataset):
    """Hangs in every worker, in two threads, and says so first; where told, it leaves the probe's session."""

    def __init__(self, folder, own_session=False):
        self.folder = folder
        self.own_session = own_session

    def __len__(self):
        return 64

    def __getitem__(self, index):
        self.wait_for_ever()

    def wait_for_ever(self):
        if self.own_session:
            os.setsid()
        reading = threading.Event()
        threading.Thread(target=self.read_ahead, args=(reading,), name="read-ahead", daemon=True).start()
        reading.wait()
        Path(self.folder, str(os.getpid())).touch()
        while True:
            time.sleep(3600)

    def read_ahead(self, reading):
        reading.set()
        while True:
            time.sleep(3600)


def hanging(folder, own_session=False):
    return Hanging(folder, own_session)


class Rows(Dataset):
    """Opens its database when the first sample is read, and notes which process that was."""

    def __init__(self, path, notes):
        self.path = path
        self.notes = notes
        self.connection = None

    def __len__(self):
        return 32

    def __getitem__(self, index):
        if self.connection is None:
            self.connection = sqlite3.connect(self.path)
            Path(self.notes, str(os.getpid())).touch()
        (value,) = self.connection.execute("select value from samples where id = ?", (index,)).fetchone()
        return torch.tensor([value])


def rows(path, notes):
    return Rows(path, notes)


class Stream(IterableDataset):
    """As many samples per pass as a file says. Every pass of every worker is noted."""

    def __init__(self, samples, notes):
        self.samples = samples
        self.notes = notes

    def __iter__(self):
        info = get_worker_info()
        if info is not None:
            assert info.dataset is self
            Path(self.notes, f"{info.id}-{time.monotonic_ns()}").touch()
        for number in range(int(Path(self.samples).read_text(encoding="utf-8"))):
            time.sleep(0.001)
            yield {"number": torch.tensor(number), "name": "sample"}


def stream(samples, notes):
    return Stream(samples, notes)


def wrong_type():
    return 42


def a_class():
    return Stream


def lists_as_dataset(samples):
    return [torch.zeros(2) for _ in range(samples)]


Pair = namedtuple("Pair", "images labels")


def endless_batches():
    def build(config):
        def batches():
            while True:
                yield Pair(torch.zeros(config["batch_size"] + 1, 2), ["a"] * (config["batch_size"] + 1))

        return batches()

    return build


def short_batches():
    """A generator that ends after as many batches as are to be prefetched, made anew by every call."""
    return lambda config: (torch.zeros(config["batch_size"], 2) for _ in range(config["prefetch_factor"] or 0))


def idle_batches():
    """One batch, again and again, at no cost."""
    batch = torch.zeros(4, 2)

    class Forever:
        def __iter__(self):
            return self

        def __next__(self):
            return batch

    return lambda config: Forever()


class Unpicklable(Dataset):
    def __init__(self):
        self.transform = lambda sample: sample

    def __len__(self):
        return 16

    def __getitem__(self, index):
        return torch.zeros(2)


def unpicklable():
    return Unpicklable()


class Plain(Dataset):
    def __init__(self, samples, milliseconds=0, size=2):
        self.samples = samples
        self.seconds = milliseconds / 1000
        self.size = size

    def __len__(self):
        return self.samples

    def __getitem__(self, index):
        if self.seconds:
            time.sleep(self.seconds)
        return torch.full((self.size,), float(index)), index


def plain(samples, milliseconds=0, size=2):
    return Plain(samples, milliseconds, size)


def exits():
    sys.exit(0)


def leaves():
    os._exit(0)


def step(device, milliseconds=1):
    assert device.type == "cpu"
    return lambda batch: time.sleep(milliseconds / 1000)


def broken_step(device):
    def run(batch):
        raise RuntimeError("the loss is not finite")

    return run
