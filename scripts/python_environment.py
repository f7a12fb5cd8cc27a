#!/usr/bin/env python3
"""Prepares, once, the Python environment that the probe and its tests run in.

    python3 scripts/python_environment.py               # torch, numpy and pillow
    python3 scripts/python_environment.py --with tests  # and what the build's Python checks need

It prints what it does on standard error and the environment's interpreter on standard output. The environment lies in
the user's cache folder under a name made of what is in it, so it is made again only when the pinned requirements or
the interpreter change. Where LOADER_TUNER_PYTHON names an interpreter that has everything, that one is used.

Standard library only, Python 3.9 and newer, Linux and macOS.
"""

from __future__ import annotations

import argparse
import fcntl
import hashlib
import importlib.util
import os
import platform
import re
import shutil
import subprocess
import sys
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import debian_packages
from debian_packages import say

SCRIPTS = Path(__file__).resolve().parent
VARIABLE = "LOADER_TUNER_PYTHON"
TEST_PROPERTY = "loader-tuner.test.python"
COMPLETE = ".complete"
PASSING_NOISE = re.compile(r"Retry\(total=[1-9]|^Ignoring ")  # of pip's output, what helps nobody when it fails
OLDEST_PYTHON = (3, 9)
MODULES = {"torch": "torch", "numpy": "numpy", "pillow": "PIL"}  # what they are imported by


class EnvironmentFailure(Exception):
    """The environment cannot be prepared; the message says why and what to do."""


@dataclass(frozen=True)
class Environment:
    """One environment in the cache folder; it counts only when its marker, written last, is there."""

    folder: Path
    requirements: tuple[Path, ...]

    @property
    def interpreter(self) -> Path:
        return self.folder / "bin" / "python"

    @property
    def lock_file(self) -> Path:
        return self.folder.with_name(self.folder.name + ".lock")

    def is_ready(self) -> bool:
        return (self.folder / COMPLETE).is_file() and self.interpreter.exists()

    def mark_complete(self) -> None:
        (self.folder / COMPLETE).write_text(f"made with {sys.executable}\n", encoding="utf-8")


def cache_folder() -> Path:
    """Where this project keeps what is costly to make and safe to delete."""
    base = os.environ.get("XDG_CACHE_HOME", "")
    root = Path(base) if base and Path(base).is_absolute() else Path.home() / ".cache"
    return root / "loader-tuner"


def environment(*, with_tests: bool) -> Environment:
    requirements = [SCRIPTS / "requirements.txt"]
    name = f"python-{_digest(requirements)}"
    if with_tests:
        requirements.append(SCRIPTS / "requirements-tests.txt")
        name += f"-tests-{_digest(requirements[1:])}"
    return Environment(cache_folder() / name, tuple(requirements))


def interpreter(*, with_tests: bool = False) -> Path:
    """The interpreter to use; prepares its environment if need be. Raises EnvironmentFailure."""
    if sys.version_info < OLDEST_PYTHON:
        raise EnvironmentFailure(f"Python 3.9 or newer is needed; this is {platform.python_version()}.")
    chosen = _chosen_by_user(with_tests=with_tests)
    if chosen is not None:
        return chosen
    # The environment of the tests has all that the other one has: no second gigabyte where it is there already.
    candidates = [environment(with_tests=True)] if with_tests else [environment(with_tests=False)]
    if not with_tests:
        candidates.append(environment(with_tests=True))
    for candidate in candidates:
        if candidate.is_ready():
            return candidate.interpreter
    return _prepare(candidates[0])


def _digest(requirements: list[Path]) -> str:
    digest = hashlib.sha256()
    for file in requirements:
        digest.update(file.read_bytes())
    digest.update(f"{sys.version}|{sys.base_prefix}|{platform.machine()}".encode())
    return digest.hexdigest()[:12]


def _chosen_by_user(*, with_tests: bool) -> Path | None:
    named = os.environ.get(VARIABLE, "").strip()
    if not named:
        return None
    path = shutil.which(named)
    if path is None:
        raise EnvironmentFailure(f"{VARIABLE} is {named}, which cannot be run: correct or unset it.")
    lacking = _lacking(path, environment(with_tests=with_tests))
    if lacking:
        say(f"{VARIABLE} is {path}, which lacks {', '.join(lacking)}: using a prepared environment instead.")
        return None
    say(f"Using {path}, as {VARIABLE} says.")
    return Path(path)


def _lacking(python: str, wanted: Environment) -> list[str]:
    """What the interpreter does not have: the probe's packages must import, of the rest any version be installed."""
    names = {
        match.group(0)
        for file in wanted.requirements
        for line in file.read_text(encoding="utf-8").splitlines()
        if (match := re.match(r"[A-Za-z0-9][A-Za-z0-9._-]*", line))
    }
    program = (
        "import importlib, importlib.metadata as m, sys\n"
        "for argument in sys.argv[1:]:\n"
        "    name, _, module = argument.partition('=')\n"
        "    try: importlib.import_module(module) if module else m.version(name)\n"
        "    except Exception: print(name)\n"
    )
    asked = [f"{name}={MODULES.get(name, '')}" for name in sorted(names)]
    try:
        answer = subprocess.run([python, "-c", program, *asked], capture_output=True, text=True, check=False)
    except OSError:
        return ["a Python that can be started"]
    return answer.stdout.split() if answer.returncode == 0 else ["a working Python 3.9 or newer"]


def _prepare(wanted: Environment) -> Path:
    wanted.folder.parent.mkdir(parents=True, exist_ok=True)
    with _locked(wanted.lock_file) as lock:
        if wanted.is_ready():
            return wanted.interpreter
        if wanted.folder.exists():
            say(f"{wanted.folder} is not complete (a run was stopped while making it): making it again.")
            shutil.rmtree(wanted.folder)
        started = time.monotonic()
        say(f"Preparing a Python environment in {wanted.folder}: done once, takes a few minutes.")
        _create(wanted)
        _install(wanted, lock)
        _try_out(wanted)
        wanted.mark_complete()
        say(f"The Python environment is ready ({time.monotonic() - started:.0f} s).")
    return wanted.interpreter


@contextmanager
def _locked(file: Path) -> Iterator[int]:
    """Holds the file's lock, which the system gives back however this process ends."""
    with file.open("w") as handle:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            say("Another run is preparing the same Python environment: waiting for it.")
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield handle.fileno()


def _create(wanted: Environment) -> None:
    if not (_has_module("venv") and _has_module("ensurepip")):
        _install_venv_module()
    answer = subprocess.run(
        [sys.executable, "-I", "-m", "venv", str(wanted.folder)], capture_output=True, text=True, check=False
    )
    if answer.returncode != 0:
        output = (answer.stdout + answer.stderr).strip()
        raise EnvironmentFailure(f"`{sys.executable} -m venv {wanted.folder}` failed:\n{output}")


def _has_module(name: str) -> bool:
    importlib.invalidate_caches()
    spec = importlib.util.find_spec(name)
    return spec is not None and spec.origin is not None  # a folder that lost its files has a spec without origin


def _install_venv_module() -> None:
    """Debian leaves a part of Python's standard library to a package of its own."""
    package = f"python{sys.version_info.major}.{sys.version_info.minor}-venv"
    if sys.base_prefix != "/usr" or not debian_packages.on_debian():
        raise EnvironmentFailure(f"{sys.executable} has no venv module: install your system's package for it.")
    if debian_packages.install([package], "the tests and the examples run in a virtual environment"):
        raise EnvironmentFailure(f"Python's venv module is missing: run `apt-get install {package}` as root.")


def _install(wanted: Environment, lock: int) -> None:
    # Of several indexes, one that does not answer costs pip's full patience for every package. So first with little
    # of it; the second attempt has pip's own.
    succeeded, said = _pip_install(wanted, lock, impatient="PIP_RETRIES" not in os.environ)
    if not succeeded and "PIP_RETRIES" not in os.environ:
        say("  pip did not succeed, trying once more")
        succeeded, said = _pip_install(wanted, lock, impatient=False)
    if not succeeded:
        names = " and ".join(file.name for file in wanted.requirements)
        raise EnvironmentFailure(
            f"pip could not install {names} ({platform.python_implementation()} {platform.python_version()}, "
            f"{platform.system()} {platform.machine()}). The end of what it said:\n\n{said}\n"
            "If the package index was not reached, see `python3 -m pip config list` and the proxy variables; if no\n"
            f"version matched, use another Python, or set {VARIABLE} to an interpreter that has torch."
        )


def _pip_install(wanted: Environment, lock: int, *, impatient: bool) -> tuple[bool, str]:
    """Whether it succeeded, and the end of what pip said."""
    command = [str(wanted.interpreter), "-I", "-m", "pip", "install"]
    command += ["--disable-pip-version-check", "--no-input", "--progress-bar", "off"]
    if impatient:
        command += ["--retries", "1"]
    for file in wanted.requirements:
        command += ["--requirement", str(file)]
    tail: deque[str] = deque(maxlen=30)
    with subprocess.Popen(
        command,
        env={**os.environ, "PIP_USER": "0", "PYTHONUNBUFFERED": "1"},
        pass_fds=(lock,),  # where only this process is killed, the next run waits until pip has ended too
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
    ) as pip:
        for line in pip.stdout or ():
            if not PASSING_NOISE.search(line):
                tail.append(line)
            if line.startswith(("Collecting ", "Installing collected ")) or line.lstrip().startswith("Downloading "):
                say(f"  {line.strip()}")
    return pip.returncode == 0, "".join(tail)


def _try_out(wanted: Environment) -> None:
    answer = subprocess.run(
        [str(wanted.interpreter), "-I", "-c", "import torch, numpy, PIL"], capture_output=True, text=True, check=False
    )
    if answer.returncode != 0:
        raise EnvironmentFailure(f"What was installed in {wanted.folder} cannot be imported:\n{answer.stderr.strip()}")


def _write_properties(file: Path, python: Path) -> None:
    """For Java's tests; written only when it changed."""
    text = f"{TEST_PROPERTY}={python}\n"
    if not file.is_file() or file.read_text(encoding="utf-8") != text:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(description="Prepares the Python environment and prints its interpreter.")
    parser.add_argument("--with", dest="extras", action="append", choices=["tests"], default=[])
    parser.add_argument("--properties", type=Path, help=f"also write the interpreter here as {TEST_PROPERTY}")
    parser.add_argument("--quiet", action="store_true", help="do not print the interpreter")
    arguments = parser.parse_args()
    try:
        python = interpreter(with_tests="tests" in arguments.extras)
    except EnvironmentFailure as failure:
        say(f"error: {failure}")
        return 1
    if arguments.properties is not None:
        _write_properties(arguments.properties, python)
    if not arguments.quiet:
        print(python)
    return 0


if __name__ == "__main__":
    sys.exit(main())
