"""Memory and CPU of the probe's process tree, read from ``/proc``. What cannot be read is None."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from loader_probe.processes import ProcessStat, descendants, is_alive, read_stat

_TICKS = os.sysconf("SC_CLK_TCK")
_SHARED = ("/dev/shm/", "/memfd:", "/torch_")
_MAPPING = re.compile(r"^([0-9a-f]+)-([0-9a-f]+) \S+ \S+ (\S+) (\d+) +(.*)$")


_nursery: ProcessStat | None = None


def forked_from(nursery_pid: int) -> None:
    """Says which process this one was forked from: what both still share is this one's alone wherever there is no such.

    The nursery's part of it is counted in for as long as that lives.
    """
    global _nursery
    _nursery = read_stat(nursery_pid)


def tree() -> list[int]:
    """The probe and every living process below it."""
    own = os.getpid()
    return [own, *(stat.pid for stat in descendants(own) if stat.alive)]


def memory() -> dict[str, Any]:
    """Bytes of host memory held by the tree.

    Batches that wait in a queue are in shared memory that nobody maps: no process's PSS counts them, only descriptors
    lead there. ``shared_memory_bytes`` is what descriptors and mappings lead to, each file once; ``pss_bytes`` is the
    sum of PSS with its shared part replaced by that.
    """
    pids = tree()
    sharing = [_nursery.pid] if _nursery is not None and is_alive(_nursery) else []
    rollups = [rollup for rollup in map(rollup, pids + sharing) if rollup is not None]
    shared = _shared_files(pids)
    mapped = sum(rollup.get("Pss_Shmem", 0) for rollup in rollups)
    pss = sum(rollup["Pss"] for rollup in rollups) if rollups else None
    if pss is not None:
        pss += max(0, shared - mapped)
    return {"pss_bytes": pss, "shared_memory_bytes": shared, "processes": len(pids)}


def rollup(pid: int) -> dict[str, int] | None:
    """Bytes by name from ``smaps_rollup``."""
    sizes: dict[str, int] = {}
    try:
        with open(f"/proc/{pid}/smaps_rollup", encoding="ascii", errors="replace") as file:
            for line in file:
                words = line.split()
                if len(words) == 3 and words[2] == "kB":
                    sizes[words[0].rstrip(":")] = int(words[1]) * 1024
    except OSError:
        return None
    return sizes if "Pss" in sizes else None


def _shared_files(pids: Iterable[int]) -> int:
    """Bytes in files of the shared memory file system that the processes hold open or mapped."""
    held: dict[int, int] = {}
    mapped: dict[int, int] = {}
    for pid in pids:
        for path in _links(f"/proc/{pid}/fd"):
            try:
                if os.readlink(path).startswith(_SHARED):
                    stat = os.stat(path)
                    held[stat.st_ino] = stat.st_blocks * 512
            except OSError:
                continue
        for inode, size in _mappings(pid).items():
            mapped[inode] = max(size, mapped.get(inode, 0))
    return sum(held.values()) + sum(size for inode, size in mapped.items() if inode not in held)


def _links(folder: str) -> list[str]:
    try:
        return [os.path.join(folder, name) for name in os.listdir(folder)]
    except OSError:
        return []


def _mappings(pid: int) -> dict[int, int]:
    sizes: dict[int, int] = {}
    try:
        with open(f"/proc/{pid}/maps", encoding="utf-8", errors="replace") as file:
            for line in file:
                if "/dev/shm/" not in line and "/memfd:" not in line:
                    continue
                match = _MAPPING.match(line.rstrip("\n"))
                if match:
                    inode = int(match.group(4))
                    sizes[inode] = sizes.get(inode, 0) + int(match.group(2), 16) - int(match.group(1), 16)
    except OSError:
        pass
    return sizes


@dataclass
class CpuMeter:
    """CPU used between the edges of a window, by the tree and by everything else on the CPUs that it may use.

    The first reading asks only for processes known beforehand, so that the window's beginning costs little.
    """

    _pids: list[int] = field(default_factory=tree)
    _own: dict[int, int] = field(default_factory=dict)
    _machine: int | None = None

    def begin(self) -> None:
        self._own = _ticks(self._pids)
        self._machine = _machine_ticks()

    def end(self, seconds: float) -> dict[str, Any]:
        """Cores in use on average over the window of that many seconds."""
        machine = _machine_ticks()
        now = _ticks(tree())
        own = sum(ticks - self._own.get(pid, 0) for pid, ticks in now.items())
        if not now or seconds <= 0:
            return {"own_cores": None, "foreign_cores": None}
        foreign = None
        if machine is not None and self._machine is not None:
            foreign = max(0.0, (machine - self._machine - own) / _TICKS / seconds)
        return {"own_cores": max(0.0, own / _TICKS / seconds), "foreign_cores": foreign}


def _ticks(pids: Iterable[int]) -> dict[int, int]:
    stats = (read_stat(pid) for pid in pids)
    return {stat.pid: stat.cpu_ticks for stat in stats if stat is not None}


def _machine_ticks() -> int | None:
    """Ticks that the CPUs of the affinity mask did not idle, those stolen by other guests included."""
    usable = {f"cpu{number}" for number in os.sched_getaffinity(0)}
    busy, seen = 0, 0
    try:
        with open("/proc/stat", encoding="ascii", errors="replace") as file:
            for line in file:
                if not line.startswith("cpu"):
                    break
                name, *fields = line.split()
                if name in usable:
                    user, nice, system, _idle, _iowait, irq, softirq, steal = (int(value) for value in fields[:8])
                    busy += user + nice + system + irq + softirq + steal
                    seen += 1
    except (OSError, ValueError):
        return None
    return busy if seen else None
