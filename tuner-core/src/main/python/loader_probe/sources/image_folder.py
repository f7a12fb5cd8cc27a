"""``image_folder``: one folder per class, JPEG and PNG files anywhere below it."""

from __future__ import annotations

import os
from array import array
from typing import Any

import torch
from torch.utils.data import Dataset

from loader_probe.failures import ProbeFailure
from loader_probe.roots import Limits, Roots
from loader_probe.sources import Source, images, require_inside, required, whole_number
from loader_probe.sources.packages import need

_DEFAULT_SIZE = 224


class ImageFolder(Dataset):
    """Pairs of image tensor and class number.

    The names are kept in one piece: a list of strings would be copied page by page into every worker, by their
    reference counts.
    """

    def __init__(self, root: str, size: int, roots: Roots) -> None:
        self._root = root
        self._size = size
        names, labels = _index(root, roots)
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


def _index(root: str, roots: Roots) -> tuple[list[bytes], list[int]]:
    """Names below the root and class numbers, in an order that depends on the names only.

    Images beside the class folders are left out; where there are no class folders they are one class.
    """
    names: list[bytes] = []
    labels: list[int] = []
    require_inside(root, roots)
    classes = [entry.name for entry in _entries(root) if _is_folder(entry)]
    for label, folder in enumerate(classes or [""]):
        found = _images_below(root, folder, roots)
        names += map(os.fsencode, sorted(found))
        labels += [label] * len(found)
    return names, labels


def _images_below(root: str, folder: str, roots: Roots) -> list[str]:
    """Names of a class, relative to the root. Links are followed within the roots, to each folder once."""
    found: list[str] = []
    seen = {_identity(root)} if folder else set()
    pending = [folder]
    while pending:
        below = pending.pop()
        parent = os.path.join(root, below)
        identity = _identity(parent)
        if identity in seen:
            continue
        seen.add(identity)
        if os.path.islink(parent):
            require_inside(parent, roots)
        for entry in _entries(parent):
            name = os.path.join(below, entry.name)
            if _is_folder(entry):
                pending.append(name)
            elif entry.name.lower().endswith(images.SUFFIXES):
                if entry.is_symlink():
                    require_inside(entry.path, roots)
                found.append(name)
    return found


def _entries(folder: str) -> list[os.DirEntry[str]]:
    """What is in a folder, by name; nothing where it cannot be read."""
    try:
        with os.scandir(folder) as entries:
            return sorted(entries, key=lambda entry: entry.name)
    except OSError:
        return []


def _is_folder(entry: os.DirEntry[str]) -> bool:
    # A link that leads to itself makes is_dir raise.
    return os.path.isdir(entry.path) if entry.is_symlink() else entry.is_dir()


def _identity(folder: str) -> tuple[int, int] | None:
    try:
        stat = os.stat(folder)
    except OSError:
        return None
    return stat.st_dev, stat.st_ino


def build(source: dict[str, Any], work: str, limits: Limits) -> Source:
    root = required(source, "path")
    need("PIL.Image", "pillow", source["kind"])
    need("numpy", "numpy", source["kind"])
    if not os.path.isdir(root):
        raise ProbeFailure("dataset_error", f"{root} is not a folder", {"path": root})
    dataset = ImageFolder(root, whole_number(source, "image_size", _DEFAULT_SIZE, 1), limits.data)
    if not len(dataset):
        raise ProbeFailure(
            "dataset_error",
            f"{root} has 0 images: class folders with files ending in {', '.join(images.SUFFIXES)} are expected",
            {"path": root, "length": 0},
        )
    return Source("map", dataset, len(dataset))
