"""``tar_shards``: tar files in the WebDataset layout, where the files of one sample share their name up to a dot."""

from __future__ import annotations

import io
import json
import os
import tarfile
from collections.abc import Iterator
from typing import Any

import torch
from torch.utils.data import IterableDataset, get_worker_info

from loader_probe.failures import ProbeFailure
from loader_probe.roots import Limits
from loader_probe.sources import Source, images, require_inside, required, whole_number
from loader_probe.sources.packages import need

_SHARD_SUFFIX = ".tar"


class TarShards(IterableDataset):
    """Samples as dicts from extension to value, with ``__key__``.

    Shards are dealt out to the workers. With fewer shards than workers every worker reads all of them and takes its
    share of the samples, so that none has nothing to do.
    """

    def __init__(self, shards: list[str], size: int | None) -> None:
        self._shards = shards
        self._size = size

    def __iter__(self) -> Iterator[dict[str, Any]]:
        info = get_worker_info()
        number, workers = (info.id, info.num_workers) if info is not None else (0, 1)
        if len(self._shards) >= workers:
            yield from self._samples(self._shards[number::workers], 0, 1)
        else:
            yield from self._samples(self._shards, number, workers)

    def _samples(self, shards: list[str], number: int, every: int) -> Iterator[dict[str, Any]]:
        position = -1
        for shard in shards:
            key, sample = None, {}
            with tarfile.open(shard, "r:") as tar:
                for member in tar:
                    # tarfile remembers every member it has passed; a shard may have millions.
                    tar.members = []
                    if not member.isfile():
                        continue
                    folder, base = os.path.split(member.name)
                    stem, _, extension = base.partition(".")
                    if not stem or not extension:
                        continue
                    if (folder, stem) != key:
                        if sample:
                            yield sample
                        key, sample, position = (folder, stem), {}, position + 1
                    if position % every == number:
                        sample.setdefault("__key__", os.path.join(folder, stem))
                        name = f"{member.name} in {shard}"
                        sample[extension] = self._decode(extension, tar.extractfile(member), name)
            if sample:
                yield sample

    def _decode(self, extension: str, file: Any, name: str) -> Any:
        data = file.read()
        kind = "." + extension.rpartition(".")[2].lower()
        if kind in images.SUFFIXES:
            return images.decode(io.BytesIO(data), name, self._size)
        if kind == ".npy":
            import numpy

            return torch.from_numpy(numpy.load(io.BytesIO(data)))
        if kind == ".cls":
            text = data.decode("utf-8").strip()
            return int(text) if text.lstrip("-").isdigit() else text
        if kind == ".json":
            # Parsed for its cost, delivered as text: objects with lists and nulls of their own do not collate.
            json.loads(data)
        return data.decode("utf-8") if kind in (".json", ".txt") else data


def build(source: dict[str, Any], work: str, limits: Limits) -> Source:
    path = required(source, "path")
    need("PIL.Image", "pillow", source["kind"])
    need("numpy", "numpy", source["kind"])
    if os.path.isdir(path):
        shards = [os.path.join(path, name) for name in os.listdir(path) if name.endswith(_SHARD_SUFFIX)]
    elif os.path.isfile(path):
        shards = [path]
    else:
        raise ProbeFailure("dataset_error", f"{path} is neither a folder nor a file", {"path": path})
    if not shards:
        raise ProbeFailure("dataset_error", f"{path} has 0 shards: no .tar file is there", {"path": path, "length": 0})
    for shard in (path, *shards):
        require_inside(shard, limits.data)
    return Source("iterable", TarShards(sorted(shards), whole_number(source, "image_size", None, 1)), None)
