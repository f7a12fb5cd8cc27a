"""``image_folder``: one folder per class, JPEG and PNG files anywhere below it."""

from __future__ import annotations

import os
from array import array
from typing import Any

import torch
from torch.utils.data import Dataset

from loader_probe.failures import ProbeFailure
from loader_probe.sources import Source, images, required, whole_number
from loader_probe.sources.packages import need

_DEFAULT_SIZE = 224


class ImageFolder(Dataset):
    """Pairs of image tensor and class number.

    The names are kept in one piece: a list of strings would be copied page by page into every worker, by their
    reference counts.
    """

    def __init__(self, root: str, size: int) -> None:
        self._root = root
        self._size = size
        names, labels = _index(root)
        self._labels = array("l", labels)
        self._names = b"".join(names)
        self._ends = array("q")
        end = 0
        for name in names:
            end += len(name)
            self._ends.append(end)

    def __len__(self) -> int:
        return len(self._labels)

    def __getitem__(self, index: int) -> tuple[torch.Tensor, int]:
        start = self._ends[index - 1] if index else 0
        path = os.path.join(self._root, os.fsdecode(self._names[start : self._ends[index]]))
        return images.decode(path, path, self._size), self._labels[index]


def _index(root: str) -> tuple[list[bytes], list[int]]:
    """Names below the root and class numbers, in an order that depends on the names only.

    Images beside the class folders are left out; where there are no class folders they are one class.
    """
    names: list[bytes] = []
    labels: list[int] = []
    classes = sorted(entry.name for entry in os.scandir(root) if entry.is_dir())
    for label, folder in enumerate(classes or ["."]):
        found = []
        for parent, _, files in os.walk(os.path.join(root, folder), followlinks=True):
            below = os.path.relpath(parent, root)
            found += [os.path.join(below, file) for file in files if file.lower().endswith(images.SUFFIXES)]
        names += map(os.fsencode, sorted(found))
        labels += [label] * len(found)
    return names, labels


def build(source: dict[str, Any], work: str) -> Source:
    root = required(source, "path")
    need("PIL.Image", "pillow", source["kind"])
    need("numpy", "numpy", source["kind"])
    if not os.path.isdir(root):
        raise ProbeFailure("dataset_error", f"{root} is not a folder", {"path": root})
    dataset = ImageFolder(root, whole_number(source, "image_size", _DEFAULT_SIZE, 1))
    if not len(dataset):
        raise ProbeFailure(
            "dataset_error",
            f"{root} has 0 images: class folders with files ending in {', '.join(images.SUFFIXES)} are expected",
            {"path": root, "length": 0},
        )
    return Source("map", dataset, len(dataset))
