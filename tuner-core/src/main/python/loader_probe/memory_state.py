"""Whether memory is at its end at this moment: what an error that does not speak of memory may come from."""

from __future__ import annotations

import resource
import sys
from typing import Any

from loader_probe.cgroups import memory_use

# Of a limit, in use: allocations of any size worth mentioning fail beyond that.
_SPENT = 0.98


def spent() -> dict[str, Any] | None:
    """Which memory is at its end, with its limit and what is in use, in bytes; None where there is room."""
    for name, use in (
        ("gpu", _gpu()),
        ("address space (ulimit -v)", _address_space()),
        ("memory cgroup", memory_use()),
    ):
        if use is not None and use[0] >= _SPENT * use[1]:
            return {"memory": name, "memory_used_bytes": use[0], "memory_limit_bytes": use[1]}
    return None


def _gpu() -> tuple[int, int] | None:
    """Without what torch's cache holds for allocations to come; None where others hold more than this process."""
    cuda = getattr(sys.modules.get("torch"), "cuda", None)
    if cuda is None or not cuda.is_initialized():
        return None
    try:
        free, total = cuda.mem_get_info()
        allocated = cuda.memory_allocated()
        in_use = total - free - (cuda.memory_reserved() - allocated)
    except (RuntimeError, AttributeError):
        return None
    return (in_use, total) if allocated > in_use / 2 else None


def _address_space() -> tuple[int, int] | None:
    soft, _ = resource.getrlimit(resource.RLIMIT_AS)
    if soft == resource.RLIM_INFINITY:
        return None
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[0]) * resource.getpagesize(), soft
    except (OSError, ValueError):
        return None
