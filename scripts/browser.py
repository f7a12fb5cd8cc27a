#!/usr/bin/env python3
"""Sees to it that the tests of the page have a browser, and says which one they have.

Standard library only, Python 3.9 and newer. Without one they are skipped, and the end of the build says so.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
from pathlib import Path

import debian_packages

PACKAGES = ("chromium", "chromium-driver")
PROGRAMS = ("chromium", "chromedriver")


def missing() -> list[str]:
    return [program for program in PROGRAMS if shutil.which(program) is None]


def note() -> str:
    """The version of the browser, or why there is none."""
    if missing():
        debian_packages.install(PACKAGES, "the tests of the page look at it in a browser")
    if missing():
        return f"not run: no {' and no '.join(missing())} on the path"
    told = subprocess.run(["chromium", "--version"], capture_output=True, text=True, check=False)
    return told.stdout.strip() or "chromium, which does not tell its version"


def main() -> int:
    parser = argparse.ArgumentParser(description="Sees to it that the tests of the page have a browser.")
    parser.add_argument("--note", type=Path, required=True, help="the file that says which browser there is")
    arguments = parser.parse_args()
    arguments.note.parent.mkdir(parents=True, exist_ok=True)
    arguments.note.write_text(f"{note()}\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
