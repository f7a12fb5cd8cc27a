"""What the processes of a probe leave in shared memory when they die, and how it is known to be theirs.

Three things are told apart by their names in ``/dev/shm``. Semaphores and segments of Python's multiprocessing get a
name that begins with the probe's mark. torch names a segment after the process that made it, so every process of the
probe notes its number when it begins. Nothing else is ever touched, nor is anything that a process still holds.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import re
import sys
import time
from collections.abc import Container

FOLDER = "/dev/shm"

_TORCH = re.compile(r"torch_(\d+)_[\d_]+")
# The clock of the file system lags behind that of the processes by a few milliseconds.
_CLOCK_LAG_SECONDS = 1.0


def note_process(fd: int) -> None:
    """Has this process known as one of the probe's: what it leaves may be removed."""
    with contextlib.suppress(OSError):
        os.write(fd, f"{os.getpid()} {time.time():.3f}\n".encode())


def mark_names(mark: str) -> None:
    """Has semaphores and segments that this process and those it starts make through multiprocessing bear the mark."""
    from multiprocessing import process, shared_memory

    config = getattr(process.current_process(), "_config", None)
    if isinstance(config, dict) and "semprefix" in config:
        config["semprefix"] = f"/{mark}"
    if hasattr(shared_memory, "_SHM_NAME_PREFIX") and hasattr(shared_memory, "_SHM_SAFE_NAME_LENGTH"):
        shared_memory._SHM_NAME_PREFIX = f"/{mark}-"
        shared_memory._SHM_SAFE_NAME_LENGTH = len(mark) + 2 + 16


class Remains:
    """The segments and semaphores of one probe, by its mark and by what its processes noted in a file."""

    def __init__(self, mark: str, noted: str, folder: str = FOLDER) -> None:
        self._mark = mark
        self._noted = noted
        self._folder = folder

    def names(self) -> set[str]:
        """Files in shared memory that this user's processes of this probe made."""
        try:
            names = os.listdir(self._folder)
        except OSError:
            return set()
        begun = self._begun() if any(name.startswith("torch_") for name in names) else {}
        return {name for name in names if self._is_ours(name, begun)}

    def remove(self, kept: Container[str] = ()) -> tuple[list[str], list[str]]:
        """Removes what nobody holds any more: the names that are gone, and those that could not be removed."""
        gone, left = [], []
        for name in sorted(self.names()):
            path = os.path.join(self._folder, name)
            if name in kept or _is_held(path):
                continue
            try:
                os.unlink(path)
                gone.append(name)
            except FileNotFoundError:
                pass
            except OSError:
                left.append(name)
        return gone, left

    def _is_ours(self, name: str, begun: dict[int, float]) -> bool:
        torch = _TORCH.fullmatch(name)
        if torch is not None:
            since = begun.get(int(torch.group(1)))
        else:
            since = 0.0 if name.startswith((f"sem.{self._mark}-", f"{self._mark}-")) else None
        if since is None:
            return False
        try:
            stat = os.lstat(os.path.join(self._folder, name))
        except OSError:
            return False
        return stat.st_uid == os.geteuid() and stat.st_ctime >= since - _CLOCK_LAG_SECONDS

    def _begun(self) -> dict[int, float]:
        """When each process of the probe began, in seconds of the wall clock."""
        begun: dict[int, float] = {}
        try:
            with open(self._noted, encoding="ascii") as file:
                for line in file:
                    pid, _, at = line.partition(" ")
                    with contextlib.suppress(ValueError):
                        begun.setdefault(int(pid), float(at))
        except OSError:
            pass
        return begun


def _is_held(path: str) -> bool:
    """Whether a process has the file open or mapped, in whatever namespace: the kernel grants a lease only if none has.

    True too where the kernel cannot say: what may be in use stays.
    """
    try:
        fd = os.open(path, os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK)
    except FileNotFoundError:
        return False
    except OSError:
        return True
    try:
        fcntl.fcntl(fd, fcntl.F_SETLEASE, fcntl.F_WRLCK)
        fcntl.fcntl(fd, fcntl.F_SETLEASE, fcntl.F_UNLCK)
        return False
    except OSError:
        return True
    finally:
        os.close(fd)


def tell(what: str) -> None:
    """A line in the log, in the tuner's name."""
    with contextlib.suppress(OSError, ValueError):
        print(f"loader-tuner: {what}", file=sys.stderr, flush=True)
