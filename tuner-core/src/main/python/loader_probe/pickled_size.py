"""How much is pickled to a worker that is not forked: counted while it happens, so it costs nothing more."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from multiprocessing import reduction
from multiprocessing.process import BaseProcess
from typing import Any


@dataclass
class Pickled:
    """Bytes sent to the worker that got most; None where nothing was pickled."""

    bytes_per_worker: int | None = None


@contextlib.contextmanager
def watched() -> Iterator[Pickled]:
    """Counts what multiprocessing pickles to the processes that are started meanwhile."""
    pickled = Pickled()
    dump = reduction.dump

    def counting(obj: Any, file: Any, protocol: Any = None) -> None:
        begun = file.tell()
        dump(obj, file, protocol)
        if isinstance(obj, BaseProcess):
            pickled.bytes_per_worker = max(pickled.bytes_per_worker or 0, file.tell() - begun)

    reduction.dump = counting
    try:
        yield pickled
    finally:
        reduction.dump = dump
