"""One of several training processes on a machine: what tells it apart, and which share of the data it reads."""

from __future__ import annotations

import functools
import inspect
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import torch
from torch.utils.data.distributed import DistributedSampler

from loader_probe.failures import ProbeFailure

_NAMED = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)


@dataclass(frozen=True)
class Rank:
    """``number`` counts from 0; all ranks are on this machine. No process group is made."""

    number: int
    world_size: int

    @classmethod
    def of(cls, request: dict[str, Any]) -> Rank | None:
        """The rank of an ``open`` request, None where there is but one process."""
        if request.get("rank") is None:
            return None
        rank = cls(int(request["rank"]), int(request["world_size"]))
        if not 0 <= rank.number < rank.world_size:
            raise ProbeFailure("runner_error", f"rank {rank.number} is none of {rank.world_size}")
        return rank

    def announce(self) -> None:
        """Sets the variables that launchers set, for the user's code here and in workers."""
        number, size = str(self.number), str(self.world_size)
        os.environ.update(RANK=number, LOCAL_RANK=number, WORLD_SIZE=size, LOCAL_WORLD_SIZE=size)

    def claim_device(self, name: str) -> str:
        """The rank's own device, made the current one: what runs later opens no context on another rank's GPU."""
        if name not in ("auto", "cuda") or not torch.cuda.is_available():
            return name
        index = self.gpu(torch.cuda.device_count())
        torch.cuda.set_device(index)
        return f"cuda:{index}"

    def gpu(self, count: int) -> int:
        """Which of so many GPUs is its own; more ranks than GPUs share them."""
        return self.number % count

    def share_of(self, length: int) -> int:
        """Samples that every rank gets of so many: as many as the rank with the fewest."""
        return length // self.world_size

    def calling(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """A user's function from loader config to batches, told which rank calls it.

        ``invalid_config`` where it takes no rank: all ranks would load the same.
        """
        try:
            parameters = inspect.signature(function).parameters.values()
        except (TypeError, ValueError):
            parameters = ()
        names = {parameter.name for parameter in parameters if parameter.kind in _NAMED}
        takes_any = any(parameter.kind is inspect.Parameter.VAR_KEYWORD for parameter in parameters)
        if not takes_any and not {"rank", "world_size"} <= names:
            raise ProbeFailure(
                "invalid_config",
                f"ranks is {self.world_size}, but the function from loader config to batches takes no rank and"
                " world_size, so that all ranks would load the same: let it take both as keyword arguments, or leave"
                " ranks at 1",
                {"ranks": self.world_size},
            )
        return functools.partial(function, rank=self.number, world_size=self.world_size)


class EndlessShare:
    """A rank's share of permutations of a dataset, one after the other without end.

    ``DistributedSampler`` deals them out and is told the number of every pass. What the ranks cannot share evenly is
    left out of a pass, so that all of them have as many samples.
    """

    def __init__(self, length: int, rank: Rank, seed: int) -> None:
        self._sampler = DistributedSampler(
            range(length), num_replicas=rank.world_size, rank=rank.number, shuffle=True, seed=seed, drop_last=True
        )

    def __iter__(self) -> Iterator[int]:
        number = 0
        while True:
            self._sampler.set_epoch(number)
            yield from self._sampler
            number += 1
