"""What the cgroups of this process say about limits that were hit. Both versions; what cannot be read is None."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True)
class ProcessLimit:
    """A limit on processes and threads, and how many there are."""

    name: str
    limit: int
    running: int


def oom_kills(root: str = "") -> int | None:
    """How many processes of this process's memory cgroup the kernel has killed for want of memory.

    ``root`` is a folder that holds ``proc`` and ``sys`` of another machine.
    """
    for folder in _folders(root, "memory"):
        for file in ("memory.events", "memory.oom_control"):
            count = _keyed(os.path.join(folder, file), "oom_kill")
            if count is not None:
                return count
    return None


def memory_use(root: str = "") -> tuple[int, int] | None:
    """Bytes in use, without the cache that the kernel can drop, and the limit, of the group with the least room."""
    found: list[tuple[int, int]] = []
    for folder in _folders(root, "memory"):
        for used, most, droppable in (
            ("memory.current", "memory.max", "inactive_file"),
            ("memory.usage_in_bytes", "memory.limit_in_bytes", "total_inactive_file"),
        ):
            bytes_used, limit = _number(os.path.join(folder, used)), _number(os.path.join(folder, most))
            if bytes_used is not None and limit is not None:
                cache = _keyed(os.path.join(folder, "memory.stat"), droppable) or 0
                found.append((max(0, bytes_used - cache), limit))
    return min(found, key=lambda each: each[1] - each[0], default=None)


def process_limit(root: str = "") -> ProcessLimit | None:
    """The limit that leaves least room, of this process's cgroup and of those above it."""
    found: list[ProcessLimit] = []
    for folder in _folders(root, "pids"):
        most, running = _number(os.path.join(folder, "pids.max")), _number(os.path.join(folder, "pids.current"))
        if most is not None and running is not None:
            found.append(ProcessLimit(f"pids.max in {folder[len(root) :]}", most, running))
    return min(found, key=lambda each: each.limit - each.running, default=None)


def _folders(root: str, controller: str) -> Iterator[str]:
    """The folders that may hold a controller's files, this process's own group first, then those above it."""
    try:
        with open(f"{root}/proc/self/cgroup", encoding="utf-8") as file:
            groups = [line.rstrip("\n").split(":", 2) for line in file]
    except OSError:
        return
    for _, controllers, path in groups:
        if controllers == "":
            mount = f"{root}/sys/fs/cgroup"
        elif controller in controllers.split(","):
            mount = f"{root}/sys/fs/cgroup/{controller}"
        else:
            continue
        # A path that leads out of what is mounted here starts with /.. and has no folder of its own.
        group = path if not path.startswith("/..") else "/"
        while group != "/":
            yield mount + group
            group = os.path.dirname(group)
        yield mount


def _keyed(path: str, key: str) -> int | None:
    try:
        with open(path, encoding="ascii") as file:
            for line in file:
                name, _, value = line.partition(" ")
                if name == key:
                    return int(value)
    except (OSError, ValueError):
        pass
    return None


def _number(path: str) -> int | None:
    """The number in a file; None where there is none, as for ``max``."""
    try:
        with open(path, encoding="ascii") as file:
            return int(file.read())
    except (OSError, ValueError):
        return None
