"""What is left of earlier rounds when the next trial is to begin, and of probes whose supervisor was killed."""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import tempfile
from typing import Any

from loader_probe.processes import ProcessStat, bears_mark, descendants, end, is_helper, read_stat
from loader_probe.remains import Remains, tell

# Names the probe that a process belongs to, in the environment of everything below a supervisor.
MARK = "LOADER_TUNER_PROBE"

_PREFIX = "loader-probe-"
# What mkdtemp appends has eight characters.
MARK_LENGTH = len(_PREFIX) + 8
_OWNER = "owner"
_GRACE_SECONDS = 0.3
_KILL_SECONDS = 2.0


class Workplace:
    """A probe's private folder. Its name is the probe's mark; a lock on it says that its supervisor lives."""

    def __init__(self, folder: str, owner: int) -> None:
        """Takes over one: its folder, and the locked descriptor."""
        self.folder = folder
        self.owner = owner

    @classmethod
    def make(cls) -> Workplace:
        folder = tempfile.mkdtemp(prefix=_PREFIX)
        # Locked before it bears the name that others look for.
        begun = os.path.join(folder, "begun")
        owner = os.open(begun, os.O_RDWR | os.O_CREAT, 0o600)
        fcntl.flock(owner, fcntl.LOCK_EX)
        os.rename(begun, os.path.join(folder, _OWNER))
        return cls(folder, owner)

    @property
    def mark(self) -> str:
        return os.path.basename(self.folder)

    def remains(self) -> Remains:
        return _remains(self.folder)

    def remove(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)


def noted_processes(folder: str) -> str:
    """Where the processes of a probe note their numbers."""
    return os.path.join(folder, "processes")


def _remains(folder: str) -> Remains:
    return Remains(os.path.basename(folder), noted_processes(folder))


class Tidying:
    """Ends and removes, between rounds, what belongs to no living loader.

    What was there before the first workers belongs to the dataset and stays until the probe ends. So does, where
    samples are read in the probe itself, whatever they started there.
    """

    def __init__(self, probe: int, inline: bool, remains: Remains) -> None:
        self._probe = probe
        self._inline = inline
        self._remains = remains
        self._standing: set[tuple[int, int]] | None = None
        self._kept: set[str] = set()

    def note_standing(self) -> None:
        """Says that workers are about to be started; before the first, what is there is the dataset's own."""
        if self._standing is None:
            self._standing = {(stat.pid, stat.started) for stat in descendants(os.getpid())}
            self._kept = self._remains.names()

    def tidy(self) -> dict[str, Any]:
        """What was ended, what was removed, and what is left all the same."""
        self.note_standing()
        found = self._leftovers()
        living = end(self._leftovers, _GRACE_SECONDS, _KILL_SECONDS) if found else []
        gone, kept = ([], []) if self._inline else self._remains.remove(self._kept)
        alive = {(stat.pid, stat.started) for stat in living}
        ended = [as_json(stat) for stat in found if (stat.pid, stat.started) not in alive]
        for process in ended:
            tell(f"ended process {process['pid']} ({process['name']}), which an earlier round had left")
        for name in gone:
            tell(f"removed /dev/shm/{name}, which an earlier round had left")
        return {
            "ended": ended,
            "removed": gone,
            "left": [as_json(stat) for stat in living] + [{"file": f"/dev/shm/{n}"} for n in kept],
        }

    def _leftovers(self) -> list[ProcessStat]:
        """Living processes below that are neither the probe, nor its helpers, nor the dataset's own."""
        standing = self._standing or set()
        spared: set[int] = {self._probe} if self._inline else set()
        found: list[ProcessStat] = []
        for stat in descendants(os.getpid()):
            own = stat.pid != self._probe and (stat.pid, stat.started) in standing
            if own or stat.parent in spared:
                spared.add(stat.pid)
            elif stat.pid != self._probe and stat.alive and not is_helper(stat, self._probe):
                found.append(stat)
        return found


def as_json(stat: ProcessStat) -> dict[str, Any]:
    now = read_stat(stat.pid)
    return {"pid": stat.pid, "name": stat.name, "state": now.state if now is not None else stat.state}


def sweep() -> None:
    """Ends and removes what the processes of supervisors left that were killed. Only of this user."""
    temporary = tempfile.gettempdir()
    with contextlib.suppress(OSError):
        for name in os.listdir(temporary):
            if name.startswith(_PREFIX):
                _sweep(os.path.join(temporary, name))


def _sweep(folder: str) -> None:
    try:
        if os.lstat(folder).st_uid != os.geteuid():
            return
        owner = os.open(os.path.join(folder, _OWNER), os.O_RDWR | os.O_NOFOLLOW)
    except OSError:
        return
    try:
        fcntl.flock(owner, fcntl.LOCK_EX | fcntl.LOCK_NB)
        mark = os.path.basename(folder)
        found = _marked(mark)
        living = end(lambda: _marked(mark), _GRACE_SECONDS, _KILL_SECONDS)
        gone, left = _remains(folder).remove()
        for stat in found:
            tell(f"ended process {stat.pid} ({stat.name}) of a probe that is gone")
        for name in gone:
            tell(f"removed /dev/shm/{name} of a probe that is gone")
        if not (living or left):
            shutil.rmtree(folder, ignore_errors=True)
    except OSError:
        # Locked: its supervisor lives.
        pass
    finally:
        os.close(owner)


def _marked(mark: str) -> list[ProcessStat]:
    pids = [int(entry) for entry in os.listdir("/proc") if entry.isdigit() and int(entry) != os.getpid()]
    stats = [read_stat(pid) for pid in pids if bears_mark(pid, MARK, mark)]
    return [stat for stat in stats if stat is not None and stat.alive]
