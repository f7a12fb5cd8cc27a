"""What of all that a started worker is sent cannot be pickled."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from multiprocessing import context
from multiprocessing.reduction import ForkingPickler
from typing import Any

_DEPTH = 8


class _Nowhere:
    def write(self, data: Any) -> int:
        return len(data)


class _Start:
    """Stands in for the start of a worker: locks, values and queues can be pickled only while there is one."""

    def duplicate_for_child(self, fd: int) -> int:
        return fd

    def DupFd(self, fd: int) -> int:  # noqa: N802 - multiprocessing's name
        return fd


@contextlib.contextmanager
def _starting() -> Iterator[None]:
    before = context.get_spawning_popen()
    context.set_spawning_popen(_Start())
    try:
        yield
    finally:
        context.set_spawning_popen(before)


def unpicklable_part(parts: Mapping[str, Any]) -> dict[str, Any]:
    """The first part that cannot be pickled and the attribute in it that is why; empty where all of them can.

    ``attribute`` is a path into the part, ``transform.steps[1]``, and None where it is the part itself; ``value`` says
    what stands there.
    """
    with _starting():
        for name, part in parts.items():
            if _fails(part):
                path, value = _innermost(part)
                return {"part": name, "attribute": path or None, "value": _describe(value)}
    return {}


def _fails(value: Any) -> bool:
    try:
        ForkingPickler(_Nowhere()).dump(value)
    except Exception:
        return True
    return False


def _innermost(value: Any) -> tuple[str, Any]:
    path = ""
    for _ in range(_DEPTH):
        inner = next(((step, item) for step, item in _steps(value) if _fails(item)), None)
        if inner is None:
            break
        path, value = path + inner[0], inner[1]
    return path.removeprefix("."), value


def _steps(value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, Mapping):
        yield from ((f"[{key!r}]", item) for key, item in value.items())
    elif isinstance(value, (list, tuple)):
        yield from ((f"[{index}]", item) for index, item in enumerate(value))
    else:
        # A partial keeps its function and arguments elsewhere than in its attributes.
        for name in ("func", "args", "keywords"):
            if type(value).__name__ == "partial" and hasattr(value, name):
                yield f".{name}", getattr(value, name)
        yield from ((f".{name}", item) for name, item in getattr(value, "__dict__", {}).items())


def _describe(value: Any) -> str:
    code = getattr(value, "__code__", None)
    if code is None:
        return type(value).__qualname__
    return f"{value.__qualname__} ({code.co_filename.rpartition('/')[2]}:{code.co_firstlineno})"
