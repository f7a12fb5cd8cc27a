"""Python stacks of processes that may hang: written by a signal handler in C, collected by the supervisor.

Every process of the probe appends to one file when it gets SIGUSR2. faulthandler names no process in what it writes,
so one process is asked at a time and what the file has gained is its answer.
"""

from __future__ import annotations

import contextlib
import faulthandler
import os
import signal
import sys
import time
from typing import Any

from loader_probe.processes import ProcessStat, descendants, handles_signal, is_helper, read_stat, sleeps_in

_SIGNAL = signal.SIGUSR2
_TOTAL_SECONDS = 2.7
_EACH_SECONDS = 0.4
_QUIET_SECONDS = 0.015
_MAX_STACK_BYTES = 32 * 1024
_MAX_PROCESSES = 256


def install(path: str) -> None:
    """Dumps the stacks of all threads to the file at ``path`` on SIGUSR2, and to the log when the process crashes.

    A DataLoader worker calls it again: torch's own handlers for SIGSEGV and SIGBUS replace what was inherited.
    """
    fd = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    # faulthandler keeps the descriptor for as long as the process lives.
    faulthandler.register(_SIGNAL, file=fd, all_threads=True, chain=False)
    faulthandler.disable()
    with contextlib.suppress(ValueError, AttributeError, OSError):
        faulthandler.enable(file=sys.__stderr__)


class StackCollector:
    """Collects the stacks below the supervisor without ever blocking it: ``advance`` is called again and again."""

    def __init__(self, probe: int, path: str) -> None:
        now = time.monotonic()
        self._deadline = now + _TOTAL_SECONDS
        self._probe = probe
        self._path = path
        below = [stat for stat in descendants(os.getpid()) if stat.alive]
        below.sort(key=lambda stat: (stat.pid != probe, stat.pid))
        self._waiting = below[:_MAX_PROCESSES]
        self._answers: list[dict[str, Any]] = []
        self._current: ProcessStat | None = None
        self._start = self._seen = self._size()
        self._asked = self._changed = now

    def advance(self) -> list[dict[str, Any]] | None:
        """The answer for every process once all are asked or the time is over, else None."""
        now = time.monotonic()
        if self._current is not None and not self._settled(now):
            return None
        while self._waiting:
            self._current = self._waiting.pop(0)
            if now >= self._deadline:
                self._answer("not asked: the time for collecting stacks was over")
            elif not handles_signal(self._current.pid, _SIGNAL):
                self._answer("no Python stack: the process has no handler for it " + _whereabouts(self._current.pid))
            else:
                self._start = self._seen = self._size()
                self._asked = self._changed = now
                with contextlib.suppress(OSError):
                    os.kill(self._current.pid, _SIGNAL)
                return None
        return self._answers

    def _settled(self, now: float) -> bool:
        size = self._size()
        if size != self._seen:
            self._seen, self._changed = size, now
        answered = size > self._start and now - self._changed >= _QUIET_SECONDS
        if not answered and now - self._asked < _EACH_SECONDS and now < self._deadline:
            return False
        if size > self._start:
            self._answer(self._read())
        else:
            assert self._current is not None
            self._answer("no Python stack: the process did not answer " + _whereabouts(self._current.pid))
        return True

    def _answer(self, stack: str) -> None:
        assert self._current is not None
        told = {"pid": self._current.pid, "role": self._role(self._current), "stack": stack}
        self._answers.append({**told, "sleeps_in": sleeps_in(self._current.pid)})
        self._current = None

    def _role(self, stat: ProcessStat) -> str:
        if stat.pid == self._probe:
            return "probe"
        return "helper" if is_helper(stat, self._probe) else "worker"

    def _size(self) -> int:
        try:
            return os.stat(self._path).st_size
        except OSError:
            return 0

    def _read(self) -> str:
        with open(self._path, "rb") as file:
            file.seek(self._start)
            return file.read(_MAX_STACK_BYTES).decode("utf-8", "replace")


def _whereabouts(pid: int) -> str:
    """What the kernel says about a process that does not answer: its state and the call it sleeps in."""
    stat = read_stat(pid)
    if stat is None:
        return "(it is gone)"
    call = sleeps_in(pid)
    return f"({stat.name}, state {stat.state}{f', in {call}' if call else ''})"
