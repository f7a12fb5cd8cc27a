"""The folder that the tuner unpacks this package to."""

from __future__ import annotations

import contextlib
import os
import shutil

from loader_probe.launch import SOCKET

# As the tuner names it.
_PREFIX = "loader-tuner-probe-"
_PACKAGE = "loader_probe"


def remove(folder: str) -> None:
    """Removes what the tuner unpacked and is no longer there to remove; anything else is left alone."""
    if os.path.basename(folder).startswith(_PREFIX) and not os.path.islink(folder):
        with contextlib.suppress(OSError):
            if set(os.listdir(folder)) <= {_PACKAGE, SOCKET}:
                shutil.rmtree(folder, ignore_errors=True)
