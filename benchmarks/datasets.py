#!/usr/bin/env python3
"""Makes the data sets of the benchmarks, each with the descriptor that the tuner takes.

    datasets.py FOLDER [--only jpeg mmap rows waits] [--seed 1]

`jpeg`: 320 photograph-like JPEGs of about 500 x 375 in class folders, costly to decode. `mmap`: 2,000 pictures of
3 x 96 x 96 bytes in one memory-mapped array, cheap. `rows`: 50,000 table rows of 32 float32, so cheap that handing over
is all the cost. 75 MB together. `waits`: no files; every sample waits for 2 ms, as for a store across a network. The
same seed makes the same data; what is there is kept. Needs numpy and pillow.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import numpy

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "examples"))

import make_images

IMAGES = 320
PICTURES = 2_000
ROWS = 50_000
BATCH_SIZE = 64


def make_jpeg(folder: Path, seed: int) -> dict[str, Any]:
    for name in make_images.CLASSES:
        (folder / "images" / name).mkdir(parents=True)
    with ProcessPoolExecutor() as processes:
        list(processes.map(partial(make_images.make_image, folder=folder / "images", seed=seed), range(IMAGES)))
    return {"kind": "image_folder", "path": str(folder / "images"), "image_size": 224}


def make_mmap(folder: Path, seed: int) -> dict[str, Any]:
    shape = (PICTURES, 3, 96, 96)
    return _array(folder, numpy.random.default_rng(seed).integers(0, 256, shape, dtype=numpy.uint8))


def make_rows(folder: Path, seed: int) -> dict[str, Any]:
    return _array(folder, numpy.random.default_rng(seed).standard_normal((ROWS, 32), dtype=numpy.float32))


def make_waits(folder: Path, seed: int) -> dict[str, Any]:
    del folder, seed
    return {"kind": "synthetic", "samples": 100_000, "shape": [3, 64, 64], "sample_milliseconds": 2}


def _array(folder: Path, values: numpy.ndarray) -> dict[str, Any]:
    numpy.save(folder / "rows.npy", values)
    return {"kind": "array", "path": str(folder / "rows.npy")}


MAKERS = {"jpeg": make_jpeg, "mmap": make_mmap, "rows": make_rows, "waits": make_waits}


def prepare(name: str, cache: Path, seed: int = 1) -> dict[str, Any]:
    """The data set's descriptor; makes what is missing. The descriptor, written last, says that the data is whole."""
    folder = cache.resolve() / f"{name}-{seed}"
    file = folder / "descriptor.json"
    if file.is_file():
        return json.loads(file.read_text(encoding="utf-8"))
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    descriptor = {
        "name": name,
        "version": f"seed-{seed}",
        "source": MAKERS[name](folder, seed),
        "space": {"num_workers": {"min": 0, "max": 4}, "batch_size": [BATCH_SIZE]},
        "baseline": {"batch_size": BATCH_SIZE, "num_workers": 2, "prefetch_factor": 2},
        "budget": {"seconds": 120},
    }
    file.write_text(json.dumps(descriptor, indent=2) + "\n", encoding="utf-8")
    return descriptor


def main() -> int:
    parser = argparse.ArgumentParser(description="Makes the data sets of the benchmarks.")
    parser.add_argument("folder", type=Path, help="where they are kept")
    parser.add_argument("--only", nargs="+", choices=sorted(MAKERS), default=sorted(MAKERS))
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()

    for name in arguments.only:
        source = prepare(name, arguments.folder, arguments.seed)["source"]
        print(f"{name}: {source['kind']} at {source.get('path', 'no path')}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
