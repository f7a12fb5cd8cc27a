"""Packages that only some built-in sources need."""

from __future__ import annotations

import importlib
import sys
from typing import Any

from loader_probe.failures import ProbeFailure


def need(module: str, package: str, kind: str) -> Any:
    """The imported module; ``environment_error`` with the command that installs its package where it is absent."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        command = f"{sys.executable} -m pip install {package}"
        raise ProbeFailure(
            "environment_error",
            f"a source of kind {kind} needs the package {package}, which {sys.executable} cannot import ({error}):"
            f" {command}",
            {"package": package, "command": command},
            exception=type(error).__name__,
        ) from error
