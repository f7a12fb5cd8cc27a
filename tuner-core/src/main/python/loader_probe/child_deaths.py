"""When a worker's death may interrupt the probe.

torch raises from a SIGCHLD handler as soon as a worker dies, wherever the main thread happens to be. That is wanted
while batches are awaited, and nowhere else: it would tear an answer in two, hide the first error behind a second, or
lose an iterator that has just been made, and with it which worker died.
"""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Iterator
from typing import Any

_heeded: Any = signal.SIG_DFL


def _nothing(*_: Any) -> None:
    """Does nothing, but wakes a sleeping call as any handler does."""


def heed() -> None:
    """Puts back the handler that was there before ``ignore``, and raises what it has to say of the time between."""
    if signal.getsignal(signal.SIGCHLD) is _nothing:
        signal.signal(signal.SIGCHLD, _heeded)
        if callable(_heeded):
            _heeded(signal.SIGCHLD, None)


@contextlib.contextmanager
def set_aside() -> Iterator[None]:
    """While an iterator is made. What went wrong in it is told first: deaths stay set aside then."""
    _prepare()
    yield
    heed()


def _prepare() -> None:
    """Has torch install its handler now rather than in the first loader's start, and sets it aside."""
    from torch.utils.data._utils import signal_handling

    install = getattr(signal_handling, "_set_SIGCHLD_handler", None)
    if install is not None:
        install()
    ignore()


def ignore() -> None:
    """Sets the handler aside. Never raises, even where a death is being told at this very moment."""
    global _heeded
    while True:
        try:
            current = signal.getsignal(signal.SIGCHLD)
            if current is not None and current is not _nothing:
                _heeded = current
                signal.signal(signal.SIGCHLD, _nothing)
            return
        except RuntimeError:
            continue
