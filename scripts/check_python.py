#!/usr/bin/env python3
"""Checks the project's Python: ruff over all of it, pytest over scripts and probe. Part of tuner-core's test phase.

Standard library only, Python 3.9 and newer; ruff and pytest come from the prepared environment.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import python_environment
from python_environment import say

ROOT = Path(__file__).resolve().parent.parent
CORE = ROOT / "tuner-core"
TESTS = CORE / "src" / "test" / "python"
SOURCES = CORE / "src" / "main" / "python"
SCRIPT_TESTS = ROOT / "scripts" / "tests"


def succeeds(python: Path, folder: Path, *arguments: str) -> bool:
    variables = {**os.environ, "PYTHONPATH": str(SOURCES), "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run([str(python), "-m", *arguments], cwd=folder, env=variables, check=False).returncode == 0


def ruff(python: Path) -> bool:
    folders = [ROOT / "scripts", ROOT / "examples", ROOT / "benchmarks"]
    if (CORE / "ruff.toml").is_file():
        folders += [SOURCES, TESTS]
    else:
        say(f"{CORE / 'ruff.toml'} is missing: the probe is not checked by ruff.")
    present = [os.path.relpath(folder, ROOT) for folder in folders if folder.is_dir()]
    # Both run, so that one build shows all there is to mend.
    checked = succeeds(python, ROOT, "ruff", "check", "--no-cache", *present)
    formatted = succeeds(python, ROOT, "ruff", "format", "--check", "--no-cache", *present)
    if not formatted:
        say(f"Mend it with: cd {ROOT} && {python} -m ruff format {' '.join(present)}")
    return checked and formatted


def pytest(python: Path, tests: Path, kind: str, *options: str) -> bool:
    report = CORE / "target" / f"{kind}-reports" / "pytest.xml"
    report.parent.mkdir(parents=True, exist_ok=True)
    report.unlink(missing_ok=True)
    if not any(tests.rglob("test_*.py")):
        say(f"There are no tests: nothing named test_*.py in {tests}.")
        return False
    # The verbosity is set, not lowered: lowered twice, pytest leaves out its closing line.
    options = ("--verbosity=-1", "-rs", "-p", "no:cacheprovider", f"--junitxml={report}", *options)
    return succeeds(python, CORE, "pytest", *options, os.path.relpath(tests, CORE))


def main() -> int:
    try:
        python = python_environment.interpreter(with_tests=True)
    except python_environment.EnvironmentFailure as failure:
        say(f"error: {failure}")
        return 1
    results = [
        ruff(python),
        pytest(python, SCRIPT_TESTS, "script"),
        # Most of a test's time is one process importing torch: they run side by side.
        pytest(python, TESTS, "python", "--numprocesses=auto"),
    ]
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
