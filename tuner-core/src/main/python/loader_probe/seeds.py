"""Seeds of the global random number generators, whichever of them user code draws from."""

from __future__ import annotations

import contextlib
import random

import torch

with contextlib.suppress(ImportError):
    import numpy


def seed_all(seed: int) -> None:
    """Seeds torch, random and, where it is installed, numpy."""
    seed = seed % 2**32
    torch.manual_seed(seed)
    random.seed(seed)
    if "numpy" in globals():
        numpy.random.seed(seed)
