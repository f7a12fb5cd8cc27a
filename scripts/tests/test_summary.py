"""The last page of the build."""

from __future__ import annotations

from pathlib import Path

import pytest
import summary
from conftest import BROKEN, FAILED, PASSED, report, skipped

BEGAN = 1000.0


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(summary, "ROOT", tmp_path)
    monkeypatch.setattr(summary, "GPU_DEVICES", (tmp_path / "nvidiactl",))
    return tmp_path


def note(root: Path, module: str, topic: str, text: str) -> None:
    file = root / module / "target" / "test-environment" / f"{topic}.txt"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")


def test_each_kind_of_each_module_has_its_counts(root: Path) -> None:
    core = root / "tuner-core" / "target"
    report(core / "surefire-reports" / "TEST-A.xml", one=PASSED, two=PASSED)
    report(core / "surefire-reports" / "TEST-B.xml", three=FAILED, four=BROKEN, five=skipped("one CPU"))
    report(core / "python-reports" / "pytest.xml", six=PASSED)
    report(core / "script-reports" / "pytest.xml", seven=PASSED, eight=PASSED)

    lines = [" ".join(line.split()) for line in summary.report(BEGAN)]

    assert "tuner-core unit tests 2 passed, 2 FAILED, 1 skipped" in lines
    assert "tuner-core integration tests none ran" in lines
    assert "tuner-core tests of the probe 1 passed" in lines
    assert "tuner-core tests of the scripts 2 passed" in lines
    assert "tuner-service unit tests none ran" in lines
    assert not any("tuner-service tests of the probe" in line for line in lines)


def test_every_skipped_test_is_named_with_its_reason(root: Path) -> None:
    report(
        root / "tuner-core/target/failsafe-reports/TEST-A.xml",
        one=skipped("no GPU"),
        two=PASSED,
        three=skipped("one CPU"),
    )

    lines = summary.report(BEGAN)

    at = lines.index("skipped: 2")
    assert lines[at + 1 : at + 3] == ["  SomeIT.one: no GPU", "  SomeIT.three: one CPU"]


@pytest.mark.parametrize(
    ("element", "reason"),
    [
        ('<skipped message="Assumption failed: no GPU"/>', "no GPU"),
        ('<skipped message="needs a mount" type="pytest.skip">test_a.py:3: needs a mount</skipped>', "needs a mount"),
        ("<skipped/>", "no reason given"),
    ],
)
def test_reasons_are_read_as_each_framework_writes_them(root: Path, element: str, reason: str) -> None:
    report(root / "tuner-core/target/failsafe-reports/TEST-A.xml", one=element)

    assert f"  SomeIT.one: {reason}" in summary.report(BEGAN)


def test_what_earlier_builds_left_is_not_counted(root: Path) -> None:
    report(root / "tuner-core/target/surefire-reports/TEST-A.xml", written=BEGAN - 1, one=FAILED)

    lines = summary.report(BEGAN)

    assert not any("FAILED" in line for line in lines)
    assert "skipped: none" in lines


def test_notes_of_tests_are_shown_by_topic_and_joined_where_modules_differ(root: Path) -> None:
    note(root, "tuner-core", "gpu", "on an H200\nand more that is not shown\n")
    note(root, "tuner-core", "postgresql", "embedded\n")
    note(root, "tuner-service", "postgresql", "in Docker\n")

    lines = summary.report(BEGAN)

    assert "gpu: on an H200" in lines
    assert "postgresql: embedded; in Docker" in lines


def test_whether_a_gpu_was_used_is_always_said(root: Path) -> None:
    assert "gpu: not run: no GPU on this machine" in summary.report(BEGAN)

    (root / "nvidiactl").touch()

    assert "gpu: there is a GPU on this machine, and no test says that it used it" in summary.report(BEGAN)
