"""Stands for a supervisor that the nursery forks, for as long as that lives; becomes one where there is no nursery.

Whoever starts it has pipes to it. They are handed over, so that nothing it stands for goes through it.
"""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import sys
from collections.abc import Iterator

SOCKET = "nursery"

# The nursery says it will fork one, and whoever asked that it still wants it: it may have lost patience meanwhile.
OFFERED = b"?"
ACCEPTED = b"!"


def command(module: str, folder: str, *arguments: str, interpreter: str = sys.executable) -> list[str]:
    """What runs a module of the package that lies in the folder."""
    start = f"import sys; sys.path[0] = sys.argv.pop(1); from loader_probe.{module} import main; main()"
    return [interpreter, "-B", "-c", start, folder, *arguments]


@contextlib.contextmanager
def address(folder: str) -> Iterator[str]:
    """A path to the socket in the folder that is short enough for one, however long the folder's is."""
    descriptor = os.open(folder, os.O_PATH | os.O_DIRECTORY)
    try:
        yield f"/proc/self/fd/{descriptor}/{SOCKET}"
    finally:
        os.close(descriptor)


def main() -> None:
    """Entry point: ``sys.argv`` holds the role and for how many seconds a nursery that still imports is waited for."""
    folder, role, patience = sys.path[0], sys.argv[1], float(sys.argv[2])
    # A Ctrl-C in a terminal reaches the tuner too, which decides what becomes of its processes.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    reader, writer = os.pipe()
    if _launch(folder, role, writer, patience):
        os.close(writer)
        # Nobody writes; the end comes when the supervisor, which has the other end, is gone.
        os.read(reader, 1)
        return
    os.execv(sys.executable, command("supervisor", folder, role))


def _launch(folder: str, role: str, writer: int, patience: float) -> bool:
    try:
        with socket.socket(socket.AF_UNIX) as nursery, address(folder) as path:
            nursery.settimeout(patience)
            nursery.connect(path)
            socket.send_fds(nursery, [role.encode()], [0, 1, 2, writer])
            if nursery.recv(1) != OFFERED:
                return False
            nursery.sendall(ACCEPTED)
            return True
    except OSError:
        return False
