"""How the ranks of one round learn of each other how far they are."""

from __future__ import annotations

import contextlib
import mmap
import os
import select
import shutil
import time
from collections.abc import Callable

from loader_probe.ranks import Rank

# How far a rank is.
ABSENT, HERE, WARM, SATISFIED, CLOSED = range(5)

_PROGRESS_MS = 500
_POLL_SECONDS = 0.001


class Meeting:
    """A byte per rank in shared memory, and a pipe to each rank for those that step together.

    The files lie in a folder that all ranks are given; it is gone once all are here. Nobody notices here that a rank
    has died: the tuner does, and ends the others.
    """

    def __init__(self, folder: str, rank: Rank, while_waiting: Callable[[], None]) -> None:
        """``while_waiting`` is called every half second in which others are waited for."""
        self._folder = folder
        self._own = rank.number
        self._while_waiting = while_waiting
        self._stages = self._open_stages(rank.world_size)
        leader, followers = 0, range(1, rank.world_size)
        self._inbox = self._open_pipe(rank.number)
        self._outboxes = [self._open_pipe(other) for other in (followers if self._own == leader else [leader])]
        self._readable = select.poll()
        self._readable.register(self._inbox, select.POLLIN)

    def _open_stages(self, ranks: int) -> mmap.mmap:
        fd = os.open(os.path.join(self._folder, "stages"), os.O_RDWR | os.O_CREAT, 0o600)
        try:
            os.ftruncate(fd, ranks)
            return mmap.mmap(fd, ranks)
        finally:
            os.close(fd)

    def _open_pipe(self, rank: int) -> int:
        path = os.path.join(self._folder, f"to-{rank}")
        with contextlib.suppress(FileExistsError):
            os.mkfifo(path, 0o600)
        # For reading and writing, so that opening waits for nobody.
        return os.open(path, os.O_RDWR)

    def gather(self) -> None:
        """Waits until every rank is here."""
        self.tell(HERE)
        begun = time.monotonic()
        while self.least() < HERE:
            time.sleep(_POLL_SECONDS)
            if time.monotonic() - begun > _PROGRESS_MS / 1000:
                self._while_waiting()
                begun = time.monotonic()
        if self._own == 0:
            shutil.rmtree(self._folder, ignore_errors=True)

    def tell(self, stage: int) -> None:
        """Has the others know how far this rank is."""
        self._stages[self._own] = stage

    def least(self) -> int:
        """How far the rank is that is least far."""
        return min(self._stages[:])

    def step_together(self, stage: int) -> int:
        """Waits until every rank is at this step, and returns the least of the stages that they came with.

        All ranks get the same answer.
        """
        if self._own == 0:
            least = min(stage, *self._receive(len(self._outboxes)))
            for outbox in self._outboxes:
                os.write(outbox, bytes([least]))
            return least
        os.write(self._outboxes[0], bytes([stage]))
        return self._receive(1)[0]

    def _receive(self, count: int) -> bytes:
        received = b""
        while len(received) < count:
            if self._readable.poll(_PROGRESS_MS):
                received += os.read(self._inbox, count - len(received))
            else:
                self._while_waiting()
        return received

    def close(self) -> None:
        self._stages.close()
        for fd in (self._inbox, *self._outboxes):
            os.close(fd)
