"""A training script without a main guard: what it does, it does whenever it is imported."""

from __future__ import annotations

import os
from pathlib import Path

import torch
from torch.utils.data import DataLoader, Dataset


class Numbers(Dataset):
    def __len__(self):
        return 64

    def __getitem__(self, index):
        return torch.tensor([index])


def numbers():
    return Numbers()


Path(os.environ["WILD_NOTES"], f"run-{os.getpid()}-{len(os.listdir(os.environ['WILD_NOTES']))}").touch()
if os.environ.get("WILD_TRAINS") == "yes":
    for _ in DataLoader(numbers(), batch_size=8, num_workers=1, multiprocessing_context="spawn"):
        pass
