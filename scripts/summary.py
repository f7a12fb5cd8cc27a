#!/usr/bin/env python3
"""Prints what `mvn verify` tested and what it did not: the last thing of the build.

It reads the XML reports of Maven's and Python's test runs, and the notes that tests leave about what they ran on: the
first line of MODULE/target/test-environment/TOPIC.txt is printed as `TOPIC: line`.

Standard library only, Python 3.9 and newer.
"""

from __future__ import annotations

import argparse
import sys
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass, field
from datetime import datetime, timezone
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MODULES = ("tuner-core", "tuner-service")
KINDS = {
    "surefire-reports": "unit tests",
    "failsafe-reports": "integration tests",
    "failsafe-reports-postgresql": "again on PostgreSQL",
    "failsafe-reports-rates": "tests of rates, alone",
    "python-reports": "tests of the probe",
    "script-reports": "tests of the scripts",
}
ONLY_IN = {
    "python-reports": "tuner-core",
    "script-reports": "tuner-core",
    "failsafe-reports-postgresql": "tuner-service",
}
GPU_DEVICES = (Path("/dev/nvidiactl"), Path("/dev/dxg"))


@dataclass
class Outcome:
    """What one kind of tests of one module came to."""

    passed: int = 0
    failed: int = 0
    skipped: list[tuple[str, str]] = field(default_factory=list)

    def add(self, case: ElementTree.Element) -> None:
        skip = case.find("skipped")
        if skip is not None:
            self.skipped.append((name_of(case), reason_of(skip)))
        elif case.find("failure") is not None or case.find("error") is not None:
            self.failed += 1
        else:
            self.passed += 1

    def __str__(self) -> str:
        parts = [f"{self.passed} passed"]
        parts += [f"{self.failed} FAILED"] if self.failed else []
        parts += [f"{len(self.skipped)} skipped"] if self.skipped else []
        return ", ".join(parts)


def name_of(case: ElementTree.Element) -> str:
    owner = case.get("classname", "").rsplit(".", 1)[-1]
    return ".".join(part for part in (owner, case.get("name", "")) if part)


def reason_of(skip: ElementTree.Element) -> str:
    text = skip.get("message") or skip.text or ""
    first = text.strip().splitlines()[0] if text.strip() else "no reason given"
    return first.rsplit("Exception: ", 1)[-1].removeprefix("Assumption failed: ")


def outcome_of(folder: Path, since: float) -> Outcome | None:
    """None where nothing of that kind ran since then: reports of earlier builds stay where they are."""
    files = [file for file in sorted(folder.glob("*.xml")) if file.stat().st_mtime >= since]
    cases = [case for file in files for case in ElementTree.parse(file).getroot().iter("testcase")]
    if not cases:
        return None
    outcome = Outcome()
    for case in cases:
        outcome.add(case)
    return outcome


def notes(since: float) -> dict[str, str]:
    found: dict[str, str] = {}
    for module in MODULES:
        for file in sorted((ROOT / module / "target" / "test-environment").glob("*.txt")):
            lines = file.read_text(encoding="utf-8").splitlines()
            if lines and file.stat().st_mtime >= since:
                known = found.get(file.stem)
                found[file.stem] = lines[0] if known in (None, lines[0]) else f"{known}; {lines[0]}"
    return found


def report(since: float) -> list[str]:
    lines = ["", "What was tested", "---------------"]
    skipped: list[tuple[str, str]] = []
    for module in MODULES:
        for folder, kind in KINDS.items():
            if ONLY_IN.get(folder, module) != module:
                continue
            outcome = outcome_of(ROOT / module / "target" / folder, since)
            lines.append(f"{module:<14} {kind:<22} {outcome if outcome else 'none ran'}")
            skipped += outcome.skipped if outcome else []
    found = notes(since)
    if not any(device.exists() for device in GPU_DEVICES):
        found.setdefault("gpu", "not run: no GPU on this machine")
    else:
        found.setdefault("gpu", "there is a GPU on this machine, and no test says that it used it")
    lines += [f"{topic}: {line}" for topic, line in sorted(found.items())]
    lines.append(f"skipped: {len(skipped)}" if skipped else "skipped: none")
    lines += [f"  {name}: {reason}" for name, reason in skipped]
    return [*lines, ""]


def main() -> int:
    parser = argparse.ArgumentParser(description="Prints what the build tested and what it did not.")
    parser.add_argument("--since", default="1970-01-01T00:00:00Z", help="when the build began, as 2026-01-31T23:59:59Z")
    arguments = parser.parse_args()
    began = datetime.strptime(arguments.since, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=timezone.utc)
    print("\n".join(report(began.timestamp())), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
