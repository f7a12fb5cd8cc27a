#!/usr/bin/env python3
"""Installs Debian packages that the build needs, where that is possible without asking: as root on Debian or Ubuntu.

Standard library only, Python 3.9 and newer. Everywhere else nothing is installed; the caller is told what is missing.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

OS_RELEASE = Path("/etc/os-release")


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def on_debian() -> bool:
    """Whether this is Debian, Ubuntu or a distribution that calls itself like one of them."""
    if not OS_RELEASE.is_file() or shutil.which("apt-get") is None:
        return False
    families: set[str] = set()
    for line in OS_RELEASE.read_text(encoding="utf-8").splitlines():
        key, _, value = line.partition("=")
        if key in ("ID", "ID_LIKE"):
            families.update(value.strip("\"'").split())
    return bool(families & {"debian", "ubuntu"})


def may_install() -> bool:
    return on_debian() and os.geteuid() == 0


def installed(package: str) -> bool:
    answer = subprocess.run(
        ["dpkg-query", "--show", "--showformat=${db:Status-Status}", package],
        capture_output=True,
        text=True,
        check=False,
    )
    return answer.returncode == 0 and answer.stdout.strip() == "installed"


def install(packages: Sequence[str], purpose: str) -> list[str]:
    """Installs those of the packages that are missing; answers the ones that are missing still."""
    missing = [package for package in packages if not installed(package)] if on_debian() else list(packages)
    if not missing or not may_install():
        return missing
    say(f"Installing {' '.join(missing)} with apt-get: {purpose}.")
    command = ["apt-get", "install", "--yes", "--no-install-recommends", *missing]
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for attempt in (["apt-get", "update"], command):
        outcome = subprocess.run(
            attempt,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        if outcome.returncode != 0:
            say(f"`{' '.join(attempt)}` failed:\n{outcome.stdout.rstrip()}")
    return [package for package in missing if not installed(package)]
