"""What becomes of a row of docs/wild-cases.md, by the reports of the tests that bear its name."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
import wild_cases
from conftest import BROKEN, FAILED, PASSED, report, skipped

PAGE = """# How loaders misbehave

| case | small input | what the tuner does |
|---|---|---|
| a worker's end | any dataset | says so |
| memory, shared (GPU) | any dataset | measures |
"""
BEGAN = 1000.0
NO_NAMESPACE = "this machine allows no mount namespace, which a small /dev/shm needs"
ONE_CPU = "nothing can be taken away from one CPU"
NOT_ROOT = "only root can start processes as a user that nobody else is"
WILD_TESTS = wild_cases.ROOT / "tuner-core/src/test/java/io/loadertuner/core/wild"


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "page.md").write_text(PAGE, encoding="utf-8")
    monkeypatch.setattr(wild_cases, "ROOT", tmp_path)
    monkeypatch.setattr(wild_cases, "PAGE", tmp_path / "page.md")
    for folder in wild_cases.ALL_OF_A_BUILD:
        report(tmp_path / folder / "TEST-Other.xml", other=PASSED)
    return tmp_path


def outcome_of(root: Path, **outcomes: str) -> tuple[str, bool]:
    """What is said of the first row where the second one passes, and whether the build may go on."""
    reports = root / "tuner-core" / "target" / "failsafe-reports"
    report(reports / "TEST-SomeIT.xml", memory_shared=PASSED, **outcomes)
    lines, whole = wild_cases.report(BEGAN)
    (line,) = (line for line in lines if line.startswith("a worker's end"))
    return line.removeprefix("a worker's end").strip(), whole


def test_a_row_is_found_by_its_name_without_punctuation(root: Path) -> None:
    outcome, whole = outcome_of(root, a_workers_end=PASSED)

    assert outcome.split() == ["SomeIT.a_workers_end", "passed"]
    assert whole


def test_a_skipped_row_is_no_error_and_says_what_was_missing(root: Path) -> None:
    outcome, whole = outcome_of(root, a_workers_end=skipped(NO_NAMESPACE))

    assert outcome.endswith(f" not run: {NO_NAMESPACE}")
    assert whole


@pytest.mark.parametrize("reason", ["there is no interpreter", "not today", "no GPU that is free"])
def test_a_row_skipped_for_another_reason_than_the_machine_is_an_error(root: Path, reason: str) -> None:
    report(root / "tuner-core/target/python-reports/pytest.xml", test_a_workers_end=skipped(NO_NAMESPACE))

    outcome, whole = outcome_of(root, a_workers_end=skipped(reason))

    assert outcome.endswith(f" SKIPPED: {reason}")
    assert not whole


def test_a_skip_without_a_reason_is_an_error(root: Path) -> None:
    outcome, whole = outcome_of(root, a_workers_end="<skipped/>")

    assert outcome.endswith(" SKIPPED: no reason given")
    assert not whole


@pytest.mark.parametrize("reason", wild_cases.WHAT_A_MACHINE_MAY_LACK)
def test_what_a_machine_may_lack_is_what_the_tests_of_the_rows_say(reason: str) -> None:
    assert any(f'"{reason}"' in file.read_text(encoding="utf-8") for file in WILD_TESTS.glob("*.java"))


def test_a_row_whose_tests_passed_in_part_shows_both(root: Path) -> None:
    report(root / "tuner-core/target/python-reports/pytest.xml", test_a_workers_end=PASSED)

    outcome, whole = outcome_of(root, a_workers_end=skipped(ONE_CPU))

    assert outcome.endswith(" passed; not run: nothing can be taken away from one CPU")
    assert whole


@pytest.mark.parametrize("fault", [FAILED, BROKEN])
def test_a_row_with_a_failed_test_is_an_error_whatever_else_passed(root: Path, fault: str) -> None:
    report(root / "tuner-core/target/python-reports/pytest.xml", test_a_workers_end=PASSED)

    outcome, whole = outcome_of(root, a_workers_end=fault)

    assert outcome.endswith(" FAILED")
    assert not whole


def test_a_row_without_a_test_is_an_error(root: Path) -> None:
    outcome, whole = outcome_of(root, some_other_test=PASSED)

    assert outcome.split(maxsplit=1) == ["-", "NO TEST"]
    assert not whole


def test_reports_of_earlier_builds_and_of_another_jdk_do_not_count(root: Path) -> None:
    report(root / "tuner-core/target/surefire-reports/TEST-Old.xml", written=BEGAN - 1, a_workers_end=PASSED)
    report(root / "tuner-core/target/newer-jdk-reports/TEST-New.xml", a_workers_end=PASSED)

    outcome, whole = outcome_of(root)

    assert outcome.endswith("NO TEST")
    assert not whole


def test_where_only_part_of_the_tests_ran_a_row_without_a_test_is_no_error(root: Path) -> None:
    (root / "tuner-service/target/failsafe-reports-rates/TEST-Other.xml").unlink()

    outcome, whole = outcome_of(root)

    assert outcome.endswith("NO TEST")
    assert whole


def test_parameters_are_no_part_of_a_name(root: Path) -> None:
    reports = root / "tuner-core" / "target" / "failsafe-reports"
    report(reports / "TEST-More.xml", **{"a_workers_end(String)[1]": PASSED, "a_workers_end(String)[2]": PASSED})

    outcome, _ = outcome_of(root)

    assert outcome.split() == ["SomeIT.a_workers_end", "passed"]


@pytest.mark.parametrize(
    ("outcome", "status"), [(PASSED, 0), (skipped(NOT_ROOT), 0), (skipped("not today"), 1), (FAILED, 1)]
)
def test_the_exit_status_tells_maven(
    root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], outcome: str, status: int
) -> None:
    report(root / "tuner-core/target/failsafe-reports/TEST-SomeIT.xml", a_workers_end=outcome, memory_shared=PASSED)
    monkeypatch.setattr(sys, "argv", ["wild_cases.py", "--since", "1970-01-01T00:16:40Z"])

    assert wild_cases.main() == status
    assert "memory, shared" in capsys.readouterr().out
