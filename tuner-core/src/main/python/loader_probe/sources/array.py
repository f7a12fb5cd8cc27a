"""``array``: the rows of a ``.npy`` file, memory-mapped."""

from __future__ import annotations

import os
from typing import Any

import torch
from torch.utils.data import Dataset

from loader_probe.failures import ProbeFailure
from loader_probe.roots import Limits
from loader_probe.sources import Source, require_inside, required
from loader_probe.sources.packages import need


class ArrayRows(Dataset):
    """Each row as a tensor of its own. The file is mapped anew in every process that reads it."""

    def __init__(self, path: str, length: int) -> None:
        self._path = path
        self._length = length
        self._rows: Any = None
        self._owner = 0

    def __len__(self) -> int:
        return self._length

    def __getitem__(self, index: int) -> torch.Tensor:
        import numpy

        if self._owner != os.getpid():
            self._rows = numpy.load(self._path, mmap_mode="r")
            self._owner = os.getpid()
        return torch.from_numpy(numpy.array(self._rows[index]))

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_rows": None, "_owner": 0}


def build(source: dict[str, Any], work: str, limits: Limits) -> Source:
    path = required(source, "path")
    numpy = need("numpy", "numpy", source["kind"])
    if not os.path.isfile(path):
        raise ProbeFailure("dataset_error", f"{path} is not a file", {"path": path})
    require_inside(path, limits.data)
    try:
        shape = numpy.load(path, mmap_mode="r").shape
    except ValueError as error:
        raise ProbeFailure(
            "dataset_error", f"{path} cannot be memory-mapped: {error}", {"path": path}, "ValueError"
        ) from error
    if not shape:
        raise ProbeFailure("dataset_error", f"{path} holds a single value, no rows", {"path": path})
    return Source("map", ArrayRows(path, shape[0]), shape[0])
