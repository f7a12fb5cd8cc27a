#!/usr/bin/env python3
"""Makes a small folder of JPEG images to tune on: class folders of pictures that cost what photographs cost.

    make_images.py FOLDER [--count 400]

Each picture is smooth light, a few shapes with edges and a fine grain; about 500 x 375 pixels and 30 to 60 kB. The same
seed makes the same pictures. Needs numpy and pillow. FOLDER.complete, written last, says that nothing is missing.
"""

from __future__ import annotations

import argparse
import sys
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

import numpy
from PIL import Image, ImageDraw, ImageFilter

CLASSES = ("coast", "forest", "mountain", "street")
QUALITY = 82
GRAIN = numpy.random.default_rng(0).standard_normal((800, 1000), dtype=numpy.float32)


def smooth_light(random: numpy.random.Generator, width: int, height: int) -> Image.Image:
    """Colours that change slowly, as skies and walls do: small random pictures, enlarged and added up."""
    image = Image.new("RGB", (width, height))
    for cells, share in ((3, 1.0), (9, 0.4), (28, 0.2)):
        coarse = random.integers(0, 256, size=(cells, cells, 3), dtype=numpy.uint8)
        image = Image.blend(image, Image.fromarray(coarse).resize(image.size, Image.Resampling.BICUBIC), share)
    return image


def add_shapes(image: Image.Image, random: numpy.random.Generator) -> Image.Image:
    draw = ImageDraw.Draw(image)
    for _ in range(int(random.integers(6, 16))):
        left, top = int(random.integers(0, image.width)), int(random.integers(0, image.height))
        box = (left, top, left + int(random.integers(20, 180)), top + int(random.integers(20, 180)))
        colour = tuple(int(value) for value in random.integers(0, 256, size=3))
        if random.random() < 0.5:
            draw.ellipse(box, fill=colour)
        else:
            draw.rectangle(box, fill=colour)
    return image.filter(ImageFilter.GaussianBlur(0.8))


def add_grain(image: Image.Image, random: numpy.random.Generator) -> Image.Image:
    """Film grain, stronger in one part of the picture than in another, as texture is."""
    strength = smooth_light(random, image.width, image.height).convert("L")
    amount = 3.0 + 11.0 * numpy.asarray(strength, dtype=numpy.float32) / 255.0
    top, left = (int(random.integers(0, have - need)) for have, need in zip(GRAIN.shape, amount.shape))
    grain = GRAIN[top : top + image.height, left : left + image.width] * amount
    grained = numpy.asarray(image, dtype=numpy.float32) + grain[:, :, None]
    return Image.fromarray(grained.clip(0, 255).astype(numpy.uint8))


def make_image(number: int, folder: Path, seed: int) -> int:
    """Writes one picture; answers its size in bytes."""
    random = numpy.random.default_rng([seed, number])
    width, height = int(random.integers(460, 541)), int(random.integers(345, 406))
    image = add_grain(add_shapes(smooth_light(random, width, height), random), random)
    file = folder / CLASSES[number % len(CLASSES)] / f"{number:05}.jpg"
    image.save(file, quality=QUALITY)
    return file.stat().st_size


def main() -> int:
    parser = argparse.ArgumentParser(description="Makes a folder of JPEG images to tune on.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--count", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()

    for name in CLASSES:
        (arguments.folder / name).mkdir(parents=True, exist_ok=True)
    make = partial(make_image, folder=arguments.folder, seed=arguments.seed)
    with ProcessPoolExecutor() as processes:
        sizes = list(processes.map(make, range(arguments.count), chunksize=16))
    marker = arguments.folder.with_name(arguments.folder.name + ".complete")
    marker.write_text(f"{len(sizes)} images\n", encoding="utf-8")
    mean = sum(sizes) / len(sizes) / 1000
    print(f"{len(sizes)} images in {arguments.folder}, {mean:.0f} kB each on average", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
