"""What several tests of the scripts make: reports as Maven and pytest write them, and scripts that can be run."""

from __future__ import annotations

import os
from pathlib import Path
from xml.sax.saxutils import quoteattr

PASSED = ""
FAILED = '<failure message="1 is not 2"/>'
BROKEN = '<error message="no such file"/>'


def skipped(reason: str) -> str:
    """As Surefire writes it: the exception and its message in the text, nothing in an attribute."""
    text = f"org.opentest4j.TestAbortedException: Assumption failed: {reason}\n\tat X.java"
    return f"<skipped><![CDATA[{text}]]></skipped>"


def report(file: Path, written: float = 2000.0, **outcomes: str) -> None:
    """A report of the tests of those names, written at that second."""
    cases = "".join(
        f"<testcase name={quoteattr(name)} classname='io.loadertuner.SomeIT'>{outcome}</testcase>"
        for name, outcome in outcomes.items()
    )
    file.parent.mkdir(parents=True, exist_ok=True)
    skips = sum(outcome.startswith("<skipped") for outcome in outcomes.values())
    file.write_text(f"<testsuite tests='{len(outcomes)}' skipped='{skips}'>{cases}</testsuite>", encoding="utf-8")
    os.utime(file, (written, written))


def executable(file: Path, shell: str) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"#!/bin/sh\n{shell}\n", encoding="utf-8")
    file.chmod(0o755)
    return file
