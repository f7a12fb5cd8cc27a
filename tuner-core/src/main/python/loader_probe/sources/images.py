"""Decoding and augmenting images as torchvision does, with Pillow and numpy alone."""

from __future__ import annotations

import math
import random
from typing import Any

import torch

_MEAN = torch.tensor([0.485, 0.456, 0.406]).view(3, 1, 1)
_STD = torch.tensor([0.229, 0.224, 0.225]).view(3, 1, 1)
_SCALE = (0.08, 1.0)
_RATIO = (3 / 4, 4 / 3)
_ATTEMPTS = 10

SUFFIXES = (".jpg", ".jpeg", ".png")


def decode(file: Any, name: str, size: int | None) -> torch.Tensor:
    """A normalised float32 tensor, channels first: cropped at random to ``size`` pixels and flipped, or as it is.

    ``file`` is a path or a file object; ``name`` is what an error calls it.
    """
    # Here and not above: a missing package is reported when the source is built.
    import numpy
    from PIL import Image

    try:
        with Image.open(file) as opened:
            image = opened.convert("RGB")
    except OSError as error:
        raise OSError(f"cannot decode {name}: {error}") from error
    if size is not None:
        image = _augment(image, size, Image.BILINEAR, Image.FLIP_LEFT_RIGHT)
    pixels = torch.from_numpy(numpy.array(image))
    tensor = pixels.permute(2, 0, 1).contiguous().to(torch.float32).div_(255)
    return tensor.sub_(_MEAN).div_(_STD)


def _augment(image: Any, size: int, bilinear: Any, flip: Any) -> Any:
    left, top, width, height = crop_box(*image.size)
    image = image.crop((left, top, left + width, top + height)).resize((size, size), bilinear)
    return image.transpose(flip) if random.random() < 0.5 else image


def crop_box(width: int, height: int) -> tuple[int, int, int, int]:
    """Left, top, width and height of a random crop with torchvision's scale and ratio, its fallback included."""
    for _ in range(_ATTEMPTS):
        area = width * height * random.uniform(*_SCALE)
        ratio = math.exp(random.uniform(math.log(_RATIO[0]), math.log(_RATIO[1])))
        w, h = round(math.sqrt(area * ratio)), round(math.sqrt(area / ratio))
        if 0 < w <= width and 0 < h <= height:
            return random.randint(0, width - w), random.randint(0, height - h), w, h
    w, h = width, height
    if width / height < _RATIO[0]:
        h = round(width / _RATIO[0])
    elif width / height > _RATIO[1]:
        w = round(height * _RATIO[1])
    return (width - w) // 2, (height - h) // 2, w, h
