"""Which interpreter is used, and what is said where the one that was chosen lacks something."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
import python_environment
from conftest import executable
from python_environment import VARIABLE, EnvironmentFailure

PROBE = ("torch", "numpy", "PIL")
CHECKS = ("pytest", "pytest_xdist", "ruff")


@pytest.fixture(autouse=True)
def a_user_without_a_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv(VARIABLE, raising=False)


def interpreter(folder: Path, *modules: str, broken: str = "", installed: tuple[str, ...] = ()) -> Path:
    """A Python that has these modules, and these packages' metadata, beside the standard library; one may be broken."""
    packages = folder / "packages"
    for module in modules:
        (packages / module).mkdir(parents=True)
        (packages / module / "__init__.py").write_text("1 / 0" if module == broken else "", encoding="utf-8")
    for package in installed:
        information = packages / f"{package}-1.0.dist-info"
        information.mkdir(parents=True)
        (information / "METADATA").write_text(
            f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n", encoding="utf-8"
        )
    return executable(folder / "python", f'PYTHONPATH={packages} exec {sys.executable} -S "$@"')


def prepared(*, with_tests: bool) -> Path:
    """An environment that an earlier run has made."""
    environment = python_environment.environment(with_tests=with_tests)
    executable(environment.interpreter, "exit 0")
    environment.mark_complete()
    return environment.interpreter


def test_a_chosen_interpreter_with_all_that_the_quickstart_needs_is_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    prepared(with_tests=False)
    chosen = interpreter(tmp_path, *PROBE)
    monkeypatch.setenv(VARIABLE, str(chosen))

    assert python_environment.interpreter() == chosen
    assert capsys.readouterr().err == f"Using {chosen}, as {VARIABLE} says.\n"


@pytest.mark.parametrize(
    ("modules", "broken", "lacking"),
    [
        (("torch",), "", "numpy, pillow"),
        (("torch", "numpy"), "", "pillow"),
        (PROBE, "numpy", "numpy"),
        (PROBE, "torch", "torch"),
        ((), "", "numpy, pillow, torch"),
    ],
)
def test_one_that_lacks_something_gives_way_to_a_prepared_environment_and_that_is_said(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    modules: tuple[str, ...],
    broken: str,
    lacking: str,
) -> None:
    ready = prepared(with_tests=False)
    chosen = interpreter(tmp_path, *modules, broken=broken)
    monkeypatch.setenv(VARIABLE, str(chosen))

    assert python_environment.interpreter() == ready
    said = capsys.readouterr().err
    assert said == f"{VARIABLE} is {chosen}, which lacks {lacking}: using a prepared environment instead.\n"


def test_the_checks_need_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ready = prepared(with_tests=True)
    monkeypatch.setenv(VARIABLE, str(interpreter(tmp_path / "probe", *PROBE)))
    assert python_environment.interpreter(with_tests=True) == ready

    whole = interpreter(tmp_path / "whole", *PROBE, installed=CHECKS)
    monkeypatch.setenv(VARIABLE, str(whole))
    assert python_environment.interpreter(with_tests=True) == whole


@pytest.mark.parametrize("script", ["exit 3", None])
def test_one_that_does_not_work_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], script: str | None
) -> None:
    ready = prepared(with_tests=False)
    chosen = executable(tmp_path / "python", script or "")
    if script is None:
        chosen.write_bytes(b"\x7fELF of another machine")
    monkeypatch.setenv(VARIABLE, str(chosen))

    assert python_environment.interpreter() == ready
    assert "which lacks a " in capsys.readouterr().err


def test_one_that_is_not_there_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "/nowhere/python")

    with pytest.raises(EnvironmentFailure, match=f"^{VARIABLE} is /nowhere/python, which cannot be run"):
        python_environment.interpreter()


def test_the_environment_of_the_tests_serves_the_quickstart_too_and_not_the_other_way_round(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made: list[python_environment.Environment] = []
    monkeypatch.setattr(python_environment, "_prepare", lambda wanted: made.append(wanted) or wanted.interpreter)
    small = prepared(with_tests=False)
    assert python_environment.interpreter() == small
    assert made == []

    python_environment.interpreter(with_tests=True)
    assert made == [python_environment.environment(with_tests=True)]

    (small.parents[1] / python_environment.COMPLETE).unlink()
    large = prepared(with_tests=True)
    assert python_environment.interpreter() == large


def test_an_environment_that_was_not_completed_is_made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = python_environment.environment(with_tests=False)
    executable(wanted.interpreter, "exit 0")
    steps: list[str] = []
    monkeypatch.setattr(
        python_environment, "_create", lambda wanted: steps.append("left" if wanted.folder.exists() else "create")
    )
    monkeypatch.setattr(
        python_environment, "_install", lambda wanted, lock: executable(wanted.interpreter, "echo >&2 no torch; exit 1")
    )

    with pytest.raises(EnvironmentFailure, match=r"cannot be imported:\nno torch$"):
        python_environment.interpreter()

    assert steps == ["create"]
    assert not wanted.is_ready()


def test_the_file_for_the_tests_of_java_is_written_only_when_it_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ready = prepared(with_tests=True)
    file = tmp_path / "target" / "python.properties"
    monkeypatch.setattr(sys, "argv", ["x", "--with", "tests", "--quiet", "--properties", str(file)])

    assert python_environment.main() == 0
    assert file.read_text(encoding="utf-8") == f"loader-tuner.test.python={ready}\n"
    before = file.stat().st_mtime_ns
    assert python_environment.main() == 0
    assert file.stat().st_mtime_ns == before
