"""What ``/proc`` and ``prctl`` offer for finding, ending and outliving processes. Linux, standard library only."""

from __future__ import annotations

import contextlib
import os
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass

_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36
_HELPERS = ("multiprocessing.resource_tracker", "multiprocessing.forkserver", "torch_shm_manager")


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
    """One line of ``/proc/<pid>/stat``; ``cpu_ticks`` includes children that were waited for.

    ``pid`` and ``started``, in ticks since the machine's start, are a process's own for good.
    """

    pid: int
    name: str
    state: str
    parent: int
    cpu_ticks: int
    started: int

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
    if len(fields) < 20:
        return None
    return ProcessStat(
        pid=pid,
        name=head.partition("(")[2],
        state=fields[0],
        parent=int(fields[1]),
        cpu_ticks=sum(int(field) for field in fields[11:15]),
        started=int(fields[19]),
    )


def is_alive(known: ProcessStat) -> bool:
    """Whether that very process lives, and not another that has got its number."""
    now = read_stat(known.pid)
    return now is not None and now.alive and now.started == known.started


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


def command_line(pid: int) -> str:
    """What the process was started with, words divided by blanks; empty where that cannot be read."""
    try:
        with open(f"/proc/{pid}/cmdline", "rb") as file:
            return file.read(4096).decode("utf-8", "replace").replace("\0", " ").strip()
    except OSError:
        return ""


def is_helper(stat: ProcessStat, probe: int) -> bool:
    """Whether the process is one that multiprocessing or torch keeps beside the probe for as long as that lives."""
    return stat.parent == probe and any(helper in command_line(stat.pid) for helper in _HELPERS)


def sleeps_in(pid: int) -> str | None:
    """The kernel's function that the main thread of a process sleeps in; None where it runs or that is not told."""
    try:
        with open(f"/proc/{pid}/wchan", encoding="ascii", errors="replace") as file:
            return file.read().strip("0\n ") or None
    except OSError:
        return None


def bears_mark(pid: int, variable: str, mark: str) -> bool:
    """Whether the process was started with that variable in its environment, or forked from one that was."""
    try:
        with open(f"/proc/{pid}/environ", "rb") as file:
            return f"{variable}={mark}".encode() in file.read().split(b"\0")
    except OSError:
        return False


def end(processes: Callable[[], list[ProcessStat]], grace_seconds: float, kill_seconds: float) -> list[ProcessStat]:
    """TERM, then KILL, to all of them and to those that join them meanwhile; those that are alive after that."""
    begun = time.monotonic()
    told: set[tuple[int, int, int]] = set()
    while True:
        living = [stat for stat in processes() if stat.alive]
        passed = time.monotonic() - begun
        if not living or passed > grace_seconds + kill_seconds:
            return living
        number = signal.SIGTERM if passed < grace_seconds else signal.SIGKILL
        for stat in living:
            if (stat.pid, stat.started, number) not in told:
                told.add((stat.pid, stat.started, number))
                with contextlib.suppress(OSError):
                    os.kill(stat.pid, number)
        time.sleep(0.002)


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
