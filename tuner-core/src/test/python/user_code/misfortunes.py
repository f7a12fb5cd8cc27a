"""A dataset in whose workers misfortune strikes at random, but the same way for the same seed."""

from __future__ import annotations

import ctypes
import os
import random
import signal
import sys
import time
from pathlib import Path

import torch
from torch.utils.data import Dataset, get_worker_info


class OddError(Exception):
    def __init__(self, what, index):
        super().__init__(what, index)


def _raise_value_error(index):
    raise ValueError(f"sample {index} is broken")


def _raise_with_two_arguments(index):
    raise OddError("sample", index)


def _give_nothing(index):
    return None


def _give_another_shape(index):
    return torch.zeros(5)


def _be_killed(index):
    os.kill(os.getpid(), signal.SIGKILL)


def _segfault(index):
    ctypes.string_at(0)


def _exit_quietly(index):
    sys.exit(0)


def _exit_at_once(index):
    os._exit(3)


def _hang(index):
    while True:
        time.sleep(3600)


def _hang_in_a_session_of_its_own(index):
    os.setsid()
    _hang(index)


WAYS = (
    _raise_value_error,
    _raise_with_two_arguments,
    _give_nothing,
    _give_another_shape,
    _be_killed,
    _segfault,
    _exit_quietly,
    _exit_at_once,
    _hang,
    _hang_in_a_session_of_its_own,
)


class Misfortunate(Dataset):
    """One worker in three meets one of the ways, at one of its first samples; without workers all is well."""

    def __init__(self, seed, draws):
        self.seed, self.draws = seed, draws
        self.owner = None
        self.strikes_at = None

    def __len__(self):
        return 256

    def __getitem__(self, index):
        if get_worker_info() is not None:
            if self.owner != os.getpid():
                self.owner = os.getpid()
                self._draw()
            if self.strikes_at is not None:
                self.strikes_at -= 1
                if self.strikes_at < 0:
                    return self.way(index)
        time.sleep(0.002)
        return torch.full((4,), float(index))

    def _draw(self):
        # One byte for each worker that ever was: the length of the file is the number of the draw.
        with Path(self.draws).open("ab") as file:
            file.write(b".")
            number = file.tell()
        chance = random.Random(f"{self.seed} {number}")
        self.way = chance.choice(WAYS)
        self.strikes_at = chance.randrange(200) if chance.random() < 1 / 3 else None


def misfortunate(seed, draws):
    return Misfortunate(seed, draws)
