"""Makes a small data set of every kind that is read from files.

python3 make_sources.py FOLDER
"""

from __future__ import annotations

import io
import sys
import tarfile
from pathlib import Path

import numpy
from PIL import Image


def image(seed: int, width: int, height: int) -> Image.Image:
    noise = numpy.random.default_rng(seed).integers(0, 256, (height // 10, width // 10, 3), dtype=numpy.uint8)
    return Image.fromarray(noise).resize((width, height))


def image_folder(folder: Path) -> None:
    for index in range(24):
        target = folder / f"class{index % 2}" / (f"{index}.png" if index % 4 == 0 else f"{index}.jpg")
        target.parent.mkdir(parents=True, exist_ok=True)
        image(index, 120 + index, 90).save(target)


def array(file: Path) -> None:
    numpy.save(file, numpy.arange(40 * 3 * 8 * 8, dtype=numpy.float32).reshape(40, 3, 8, 8))


def tar_shards(folder: Path) -> None:
    folder.mkdir()
    for shard in range(2):
        with tarfile.open(folder / f"{shard:03d}.tar", "w") as tar:
            for index in range(12):
                encoded = io.BytesIO()
                image(100 * shard + index, 100, 80).save(encoded, "JPEG")
                for name, data in ((f"{index:04d}.jpg", encoded.getvalue()), (f"{index:04d}.cls", b"3")):
                    entry = tarfile.TarInfo(name)
                    entry.size = len(data)
                    tar.addfile(entry, io.BytesIO(data))


if __name__ == "__main__":
    root = Path(sys.argv[1])
    image_folder(root / "images")
    array(root / "rows.npy")
    tar_shards(root / "shards")
