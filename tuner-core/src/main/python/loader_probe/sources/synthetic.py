"""``synthetic``: samples that wait, burn CPU and read bytes as told, for demonstrations and tests."""

from __future__ import annotations

import os
import time
from typing import Any

import torch
from torch.utils.data import Dataset

from loader_probe.failures import ProbeFailure
from loader_probe.roots import Limits
from loader_probe.sources import Source, required, whole_number

_FILE_BYTES = 64 * 1024 * 1024
_CHUNK = 1024 * 1024


class Synthetic(Dataset):
    """Tensors of one shape filled with their index, each at the same cost."""

    def __init__(self, samples: int, shape: list[int], wait: float, burn: float, read: int, file: str | None) -> None:
        self._samples = samples
        self._shape = shape
        self._wait_seconds = wait
        self._burn_seconds = burn
        self._read_bytes = read
        self._file = file
        self._fd = -1
        self._owner = 0

    def __len__(self) -> int:
        return self._samples

    def __getitem__(self, index: int) -> torch.Tensor:
        if self._wait_seconds:
            time.sleep(self._wait_seconds)
        if self._burn_seconds:
            # By the thread's own CPU time: a wall clock would burn less on a busy machine.
            end = time.thread_time() + self._burn_seconds
            while time.thread_time() < end:
                pass
        if self._read_bytes:
            self._read(index)
        return torch.full(self._shape, float(index))

    def _read(self, index: int) -> None:
        assert self._file is not None
        if self._owner != os.getpid():
            self._fd = os.open(self._file, os.O_RDONLY)
            self._owner = os.getpid()
        last = max(0, os.fstat(self._fd).st_size - self._read_bytes)
        offset = index * self._read_bytes % (last + 1)
        left = self._read_bytes
        while left > 0:
            data = os.pread(self._fd, min(left, _CHUNK), offset)
            if not data:
                # A file smaller than a sample is read several times over.
                offset = 0
                continue
            left -= len(data)
            offset += len(data)

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_fd": -1, "_owner": 0}


def build(source: dict[str, Any], work: str, limits: Limits) -> Source:
    required(source, "samples")
    samples = whole_number(source, "samples", None, 0)
    shape = source.get("shape")
    shape = [1] if shape is None else shape
    if not all(isinstance(size, int) and not isinstance(size, bool) and size > 0 for size in shape):
        raise ProbeFailure("invalid_config", f"source.shape is a list of whole numbers from 1, not {shape!r}")
    read = whole_number(source, "bytes_read", 0, 0)
    file = _make_file(work, min(read * max(samples, 1), max(read, _FILE_BYTES))) if read else None
    wait, burn = (_seconds(source, name) for name in ("sample_milliseconds", "cpu_milliseconds"))
    return Source("map", Synthetic(samples, list(shape), wait, burn, read, file), samples)


def _seconds(source: dict[str, Any], name: str) -> float:
    value = source.get(name) or 0
    if isinstance(value, bool) or not isinstance(value, (int, float)) or value < 0:
        raise ProbeFailure("invalid_config", f"source.{name} is a number from 0, not {value!r}")
    return value / 1000


def _make_file(work: str, size: int) -> str:
    path = os.path.join(work, "synthetic")
    with open(path, "wb") as file:
        left = size
        while left > 0:
            left -= file.write(os.urandom(min(left, _CHUNK)))
    return path
