"""Limits of the operating system that loading runs into, by the names under which they are raised."""

from __future__ import annotations

import resource
from typing import Any

from loader_probe.cgroups import process_limit


def open_files() -> dict[str, Any]:
    """The limit on open files of this process; None where there is none."""
    return {"limit": _soft(resource.RLIMIT_NOFILE), "limit_name": "ulimit -n"}


def processes() -> dict[str, Any]:
    """The limit on processes and threads that was reached: the cgroup's where it is full, else the user's."""
    group = process_limit()
    # Those that could not be started are gone again by now, and with them a thread or two.
    if group is not None and group.limit - group.running <= 2:
        return {"limit": group.limit, "limit_name": group.name}
    return {"limit": _soft(resource.RLIMIT_NPROC), "limit_name": "ulimit -u"}


def _soft(number: int) -> int | None:
    soft = resource.getrlimit(number)[0]
    return None if soft == resource.RLIM_INFINITY else soft
