"""When a worker's death may interrupt the probe.

torch raises from a SIGCHLD handler as soon as a worker dies, wherever the main thread happens to be. That is wanted
while batches are awaited, and nowhere else: it would tear an answer in two or hide the first error behind a second.
"""

from __future__ import annotations

import signal
from typing import Any

_heeded: Any = signal.SIG_DFL


def _nothing(*_: Any) -> None:
    """Does nothing, but wakes a sleeping call as any handler does."""


def heed() -> None:
    """Puts back the handler that was there before ``ignore``."""
    if signal.getsignal(signal.SIGCHLD) is _nothing:
        signal.signal(signal.SIGCHLD, _heeded)


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
