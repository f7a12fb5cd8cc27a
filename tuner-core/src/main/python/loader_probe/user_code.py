"""Finding the user's functions by name, as importable modules so that started workers find them too."""

from __future__ import annotations

import functools
import importlib
import importlib.util
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

from loader_probe.failures import Context, ProbeFailure, classify
from loader_probe.roots import Roots


def extend_path(python_path: list[str]) -> None:
    """Puts folders before everything on the import path but the probe itself; spawned workers inherit the path."""
    new = [entry for entry in python_path if entry not in sys.path]
    sys.path[1:1] = new
    importlib.invalidate_caches()


def load_factory(name: str, roots: Roots) -> Callable[..., Any]:
    """The function that ``package.module:function`` names; ``import_error`` where it cannot be had.

    Where roots are given, the modules of the name and the one that defines the function lie under them. What does not
    is refused before it is imported, or at the latest before anything of it is called.
    """
    module_name, colon, path = str(name).partition(":")
    if not (module_name and colon and path):
        raise ProbeFailure("import_error", f"a factory is written package.module:function, not {name!r}")
    try:
        found: Any = _import_below(module_name, roots) if roots.restricted else importlib.import_module(module_name)
    except ProbeFailure:
        raise
    except BaseException as error:
        failure = classify(error, Context())
        failure.reason = "import_error"
        failure.message = f"module {module_name} cannot be imported: {failure.message}"
        failure.details = {"module": module_name, "missing": getattr(error, "name", None)}
        raise failure from error
    *owners, last = path.split(".")
    for part in owners:
        found = _attribute(found, part, module_name, path)
        if roots.restricted:
            if not isinstance(found, type):
                raise ProbeFailure(
                    "import_error",
                    f"{part} in {name} is {type(found).__name__}, not a class; with loader-tuner.code-roots a factory"
                    " is a function of a module or of a class",
                    {"module": module_name},
                )
            _require_definition(found, name, roots)
    found = _attribute(found, last, module_name, path)
    if not callable(found):
        raise ProbeFailure("import_error", f"{name} is {type(found).__name__}, not a function", {"module": module_name})
    if roots.restricted:
        _require_definition(found, name, roots)
    return found


def _attribute(owner: Any, name: str, module_name: str, path: str) -> Any:
    try:
        return getattr(owner, name)
    except AttributeError:
        raise ProbeFailure("import_error", f"module {module_name} has no {path}", {"module": module_name}) from None


def _import_below(module_name: str, roots: Roots) -> ModuleType:
    """Imports package by package: the file of each is looked at before any of its code runs, and once more after."""
    parts = module_name.split(".")
    for end in range(1, len(parts) + 1):
        name = ".".join(parts[:end])
        if name not in sys.modules:
            spec = importlib.util.find_spec(name)
            if spec is not None and not _is_namespace(spec):
                _require_file(spec.origin if spec.has_location else None, name, roots)
        module = importlib.import_module(name)
        if not _is_namespace(getattr(module, "__spec__", None)):
            _require_file(getattr(module, "__file__", None), name, roots)
    return module


def _is_namespace(spec: Any) -> bool:
    """Whether it is a folder without an ``__init__.py``: no code of its own, and what is below is looked at itself."""
    return spec is not None and spec.origin is None and spec.submodule_search_locations is not None


def _require_definition(found: Any, name: str, roots: Roots) -> None:
    """``import_error`` where a function or class was only imported by the module under the roots."""
    while isinstance(found, functools.partial):
        found = found.func
    module_name = getattr(found, "__module__", None)
    module = sys.modules.get(module_name) if isinstance(module_name, str) else None
    _require_file(getattr(module, "__file__", None), str(module_name), roots, f"{name} is defined in ")


def _require_file(file: str | None, module: str, roots: Roots, where: str = "") -> None:
    if file is not None and roots.hold(file):
        return
    place = f"module {module}, whose file {file}" if file is not None else f"module {module}, which has no file and so"
    raise ProbeFailure(
        "import_error",
        f"{where}{place} lies outside of loader-tuner.code-roots ({roots})",
        {"module": module, "file": file},
    )
