"""Finding the user's functions by name, as importable modules so that started workers find them too."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from typing import Any

from loader_probe.failures import Context, ProbeFailure, classify


def extend_path(python_path: list[str]) -> None:
    """Puts folders before everything on the import path but the probe itself; spawned workers inherit the path."""
    new = [entry for entry in python_path if entry not in sys.path]
    sys.path[1:1] = new
    importlib.invalidate_caches()


def load_factory(name: str) -> Callable[..., Any]:
    """The function that ``package.module:function`` names; ``import_error`` where it cannot be had."""
    module_name, colon, path = str(name).partition(":")
    if not (module_name and colon and path):
        raise ProbeFailure("import_error", f"a factory is written package.module:function, not {name!r}")
    try:
        found: Any = importlib.import_module(module_name)
    except BaseException as error:
        failure = classify(error, Context())
        failure.reason = "import_error"
        failure.message = f"module {module_name} cannot be imported: {failure.message}"
        failure.details = {"module": module_name, "missing": getattr(error, "name", None)}
        raise failure from error
    for part in path.split("."):
        if not hasattr(found, part):
            raise ProbeFailure("import_error", f"module {module_name} has no {path}", {"module": module_name})
        found = getattr(found, part)
    if not callable(found):
        raise ProbeFailure("import_error", f"{name} is {type(found).__name__}, not a function", {"module": module_name})
    return found
