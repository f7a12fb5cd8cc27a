"""Which JDK is found, and what is said of the tests that ran on it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
import verify_on_newer_jdk as newer
from conftest import executable

REPORT = "<testsuite tests='{}' skipped='{}'/>"


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine whose JDKs lie in `jvm` and `jdks`, and a project whose core is compiled."""
    for variable in newer.HOME_VARIABLES:
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setattr(newer, "PATTERNS", ((tmp_path / "jvm", "*"), (tmp_path / "jdks", "*/Contents/Home")))
    monkeypatch.setattr(newer, "ROOT", tmp_path)
    target = tmp_path / "tuner-core" / "target"
    (target / "test-classes").mkdir(parents=True)
    (target / "test-classpath.txt").write_text("a.jar:b.jar\n", encoding="utf-8")
    return tmp_path


def jdk(home: Path, version: str | None, java: str = "exit 0") -> Path:
    executable(home / "bin" / "java", java)
    if version is not None:
        (home / "release").write_text(f'IMPLEMENTOR="x"\nJAVA_VERSION="{version}"\n', encoding="utf-8")
    return home


def test_of_several_the_one_nearest_to_the_wanted_version_is_taken(root: Path) -> None:
    jdk(root / "jvm" / "a-26", "26.0.1")
    jdk(root / "jvm" / "b-21", "21.0.9")
    wanted = jdk(root / "jdks" / "c" / "Contents" / "Home", "25.0.3")

    assert newer.find_jdk() == newer.Jdk(wanted, "25.0.3")


def test_of_equals_the_first_is_taken_and_a_variable_comes_first(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = jdk(root / "jvm" / "a", "25.0.3")
    jdk(root / "jvm" / "b", "25.0.1")
    assert newer.find_jdk() == newer.Jdk(first, "25.0.3")

    named = jdk(root / "named", "25")
    monkeypatch.setenv("JAVA_25_HOME", str(named))
    assert newer.find_jdk() == newer.Jdk(named, "25")


def test_older_ones_and_those_that_cannot_be_run_are_none(root: Path) -> None:
    jdk(root / "jvm" / "a", "17.0.12")
    jdk(root / "jvm" / "b", "1.8.0_402")
    (jdk(root / "jvm" / "c", "25.0.3") / "bin" / "java").chmod(0o644)
    (root / "jvm" / "empty").mkdir()

    assert newer.find_jdk() is None


def test_without_a_release_file_java_is_asked(root: Path) -> None:
    home = jdk(root / "jvm" / "a", None, "echo 'openjdk version \"25-ea\" 2025-09-16' >&2")
    jdk(root / "jvm" / "b", None, "echo nothing >&2")

    found = newer.find_jdk()

    assert found == newer.Jdk(home, "25-ea")
    assert found.major == 25


def reporting(reports: Path, tests: int, skipped: int, status: int) -> str:
    """A java that keeps its arguments, leaves a report, says something and ends with that status."""
    report = REPORT.format(tests, skipped)
    commands = [
        f"mkdir -p {reports}",
        f'echo "$*" > {reports}/arguments',
        f'echo "{report}" > {reports}/TEST-a.xml',
        "echo said",
        f"exit {status}",
    ]
    return "\n".join(commands)


@pytest.mark.parametrize(
    ("tests", "skipped", "status", "passed", "sentence"),
    [
        (12, 0, 0, True, "12 unit tests passed"),
        (12, 2, 0, True, "10 unit tests passed, 2 skipped"),
        (0, 0, 0, True, "no unit tests"),
        (12, 0, 1, False, "unit tests: FAILED (12 ran)"),
    ],
)
def test_what_ran_is_counted(
    root: Path,
    capsys: pytest.CaptureFixture[str],
    tests: int,
    skipped: int,
    status: int,
    passed: bool,
    sentence: str,
) -> None:
    suite = newer.Suite("tuner-core", "unit tests", ".*Test", "some-tag")
    home = jdk(root / "jvm" / "a", "25", reporting(suite.reports, tests, skipped, status))
    (suite.target / "python-environment.properties").write_text("a.b=/c\n", encoding="utf-8")

    assert newer.run(newer.Jdk(home, "25"), suite) == (passed, sentence)

    assert ("said" in capsys.readouterr().out) is not passed
    arguments = (suite.reports / "arguments").read_text(encoding="utf-8").split()
    assert "-Da.b=/c" in arguments
    assert "--include-tag=some-tag" in arguments
    class_path = arguments[arguments.index("-cp") + 1]
    assert class_path == f"{suite.target / 'test-classes'}:{suite.target / 'classes'}:a.jar:b.jar"


def test_a_module_that_was_not_compiled_for_tests_is_no_failure(root: Path) -> None:
    home = jdk(root / "jvm" / "a", "25", "exit 1")

    assert newer.run(newer.Jdk(home, "25"), newer.Suite("tuner-service", "tests", ".*")) == (True, "no tests")


def test_a_jdk_that_cannot_be_started_is_a_failure_in_words(root: Path) -> None:
    home = jdk(root / "jvm" / "a", "25")
    (home / "bin" / "java").write_bytes(b"\x7fELF of another machine")

    passed, sentence = newer.run(newer.Jdk(home, "25"), newer.Suite("tuner-core", "unit tests", ".*Test"))

    assert not passed
    assert sentence.startswith("unit tests: could not be started (")


@pytest.mark.parametrize(
    ("own", "other", "line", "status"),
    [
        ("25.0.3", None, "the whole build ran on 25.0.3", 0),
        ("17.0.12", None, "not found on this machine, not run", 0),
        (
            "17.0.12",
            "exit 1",
            "on 25.0.1: unit tests of tuner-core: FAILED (0 ran); no tests of tuner-service tagged jdk25",
            1,
        ),
    ],
)
def test_the_summary_is_told(
    root: Path, monkeypatch: pytest.MonkeyPatch, own: str, other: str | None, line: str, status: int
) -> None:
    home = jdk(root / "own", own)
    if other is not None:
        jdk(root / "jvm" / "a", "25.0.1", other)
    note = root / "notes" / "jdk-25.txt"
    monkeypatch.setattr(sys, "argv", ["x", "--java-home", str(home), "--note", str(note)])

    assert newer.main() == status
    assert note.read_text(encoding="utf-8") == f"{line}\n"
