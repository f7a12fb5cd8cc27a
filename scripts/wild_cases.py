#!/usr/bin/env python3
"""Prints, for each row of docs/wild-cases.md, the tests that bear its name and what came of them.

Run by Maven at the end of `mvn verify`. A row without a test is an error, and one whose test failed; a test that was
skipped for want of something that this machine lacks is shown as not run, with what it was. A row whose tests were all
skipped, one of them for any other reason, is an error. Where only part of the tests ran (one module, chosen tests) a
missing one is no error.

Standard library only, Python 3.9 and newer.
"""

from __future__ import annotations

import argparse
import re
import sys
import xml.etree.ElementTree as ElementTree
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path

from summary import name_of, reason_of

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "wild-cases.md"
REPORTS = "tuner-*/target/*-reports*/*.xml"
ALL_OF_A_BUILD = (
    "tuner-core/target/surefire-reports",
    "tuner-core/target/failsafe-reports",
    "tuner-service/target/surefire-reports",
    "tuner-service/target/failsafe-reports",
    "tuner-service/target/failsafe-reports-rates",
)
GPU = " (GPU)"
NO_TEST, FAILED, SKIPPED = FAULTS = ("NO TEST", "FAILED", "SKIPPED")

WHAT_A_MACHINE_MAY_LACK = (
    "no GPU",
    "there is a GPU",
    "nothing can be taken away from one CPU",
    "only root can start processes as a user that nobody else is",
    "this machine allows no mount namespace, which a small /dev/shm needs",
    "a limit needs a pids cgroup of version 1 that can be written",
    "a limit needs a memory cgroup of version 1 that can be written",
)


@dataclass(frozen=True)
class Row:
    """One case of the page."""

    name: str

    @property
    def test_name(self) -> str:
        return re.sub(r"[^a-z0-9]+", "_", self.name.lower().replace("'", "")).strip("_")


@dataclass(frozen=True)
class Execution:
    """A test that a report lists."""

    test: str
    outcome: str
    why_skipped: str = ""


def rows(page: str) -> Iterator[Row]:
    for line in page.splitlines():
        cells = [cell.strip() for cell in line.split("|")]
        if len(cells) >= 4 and cells[1] not in ("case", "") and not set(cells[1]) <= {"-"}:
            yield Row(cells[1].removesuffix(GPU))


def plain_name(test: str) -> str:
    """The name of a test without what its framework adds: parameters and pytest's prefix."""
    return re.sub(r"[\[({].*", "", test).removeprefix("test_")


def executions(since: float) -> dict[str, list[Execution]]:
    found: dict[str, list[Execution]] = defaultdict(list)
    for file in sorted(ROOT.glob(REPORTS)):
        if file.stat().st_mtime < since or "newer-jdk" in str(file):
            continue
        for case in ElementTree.parse(file).getroot().iter("testcase"):
            skipped = case.find("skipped")
            if skipped is not None:
                outcome = "skipped"
            elif case.find("failure") is not None or case.find("error") is not None:
                outcome = "failed"
            else:
                outcome = "passed"
            found[plain_name(case.get("name", ""))].append(
                Execution(name_of(case), outcome, "" if skipped is None else reason_of(skipped))
            )
    return found


def is_whole_build(since: float) -> bool:
    return all(
        any(file.stat().st_mtime >= since for file in (ROOT / folder).glob("TEST-*.xml")) for folder in ALL_OF_A_BUILD
    )


def verdict(runs: list[Execution]) -> str:
    outcomes = {run.outcome for run in runs}
    if not runs:
        return NO_TEST
    if "failed" in outcomes:
        return FAILED
    others = [run.why_skipped for run in runs if run.why_skipped not in WHAT_A_MACHINE_MAY_LACK]
    if outcomes == {"skipped"} and others:
        return f"{SKIPPED}: {'; '.join(dict.fromkeys(others))}"
    not_run = "; ".join(dict.fromkeys(f"not run: {run.why_skipped}" for run in runs if run.outcome == "skipped"))
    return "; ".join(part for part in ("passed" if "passed" in outcomes else "", not_run) if part)


def report(since: float) -> tuple[list[str], bool]:
    tests = executions(since)
    lines = ["", "How loaders misbehave: docs/wild-cases.md", "-----------------------------------------"]
    whole = True
    for row in rows(PAGE.read_text(encoding="utf-8")):
        runs = tests[row.test_name]
        found = verdict(runs)
        whole = whole and not found.startswith(FAULTS)
        names = ", ".join(sorted({re.sub(r"[\[({].*", "", run.test) for run in runs}))
        lines.append(f"{row.name:<44} {names or '-':<72} {found}")
    if not is_whole_build(since):
        lines.append("Only part of the tests ran: a row without a test is no error.")
    return lines, whole or not is_whole_build(since)


def main() -> int:
    parser = argparse.ArgumentParser(description="Prints which row of docs/wild-cases.md which test covers.")
    parser.add_argument("--since", default="1970-01-01T00:00:00Z", help="when the build began, as 2026-01-31T23:59:59Z")
    arguments = parser.parse_args()
    began = datetime.strptime(arguments.since, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=timezone.utc)
    lines, whole = report(began.timestamp())
    print("\n".join(lines), flush=True)
    return 0 if whole else 1


if __name__ == "__main__":
    sys.exit(main())
