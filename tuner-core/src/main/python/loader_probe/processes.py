"""What ``/proc`` and ``prctl`` offer for finding, ending and outliving processes. Linux, standard library only."""

from __future__ import annotations

import os
import signal
from dataclasses import dataclass

_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36


def _load_prctl():
    try:
        import ctypes

        return ctypes.CDLL(None, use_errno=True).prctl
    except (ImportError, OSError, AttributeError):
        return None


# Loaded at import: a child that has just been forked must not have to load a library.
_prctl = _load_prctl()


@dataclass(frozen=True)
class ProcessStat:
    """One line of ``/proc/<pid>/stat``; ``cpu_ticks`` includes children that were waited for."""

    pid: int
    name: str
    state: str
    parent: int
    cpu_ticks: int

    @property
    def alive(self) -> bool:
        return self.state not in "ZX"


def read_stat(pid: int) -> ProcessStat | None:
    """The state of a process, or None where it is gone or unreadable."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            text = file.read().decode("utf-8", "replace")
    except OSError:
        return None
    head, _, tail = text.rpartition(")")
    fields = tail.split()
    if len(fields) < 15:
        return None
    return ProcessStat(
        pid=pid,
        name=head.partition("(")[2],
        state=fields[0],
        parent=int(fields[1]),
        cpu_ticks=sum(int(field) for field in fields[11:15]),
    )


def descendants(root: int) -> list[ProcessStat]:
    """Every process below ``root``, zombies included, parents before children."""
    children: dict[int, list[ProcessStat]] = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            stat = read_stat(int(entry))
            if stat is not None:
                children.setdefault(stat.parent, []).append(stat)
    found: list[ProcessStat] = []
    pending = [root]
    while pending:
        below = children.pop(pending.pop(0), [])
        found += below
        pending += [stat.pid for stat in below]
    return found


def become_subreaper() -> bool:
    """Has orphans below this process handed to it rather than to init. False where the kernel cannot."""
    return _prctl is not None and _prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0


def die_with_parent(expected_parent: int) -> None:
    """Asks to be killed when the thread that started this process ends; ends at once where it already has."""
    if _prctl is not None:
        _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != expected_parent:
        os.kill(os.getpid(), signal.SIGKILL)


def signal_name(number: int) -> str:
    """``SIGKILL`` for 9; real-time signals have no name and get their number."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"SIG{number}"


def handles_signal(pid: int, number: int) -> bool:
    """Whether the process has a handler for the signal: without one, most signals would end it."""
    try:
        with open(f"/proc/{pid}/status", encoding="ascii", errors="replace") as file:
            for line in file:
                if line.startswith("SigCgt:"):
                    return bool(int(line.split()[1], 16) >> (number - 1) & 1)
    except OSError:
        pass
    return False
