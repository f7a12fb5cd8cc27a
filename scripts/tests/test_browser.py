"""Which browser the tests of the page have."""

from __future__ import annotations

from pathlib import Path

import browser
import debian_packages
import pytest
from conftest import executable


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The one folder where programs are looked for, besides the shell's."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    return folder


def test_a_browser_that_is_there_says_its_version(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(debian_packages, "install", lambda *_: pytest.fail("nothing is to be installed"))
    executable(path / "chromium", "echo 'Chromium 150.0.1 built on Debian'")
    executable(path / "chromedriver", "true")

    assert browser.note() == "Chromium 150.0.1 built on Debian"


def test_one_that_is_not_there_is_installed(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[str, ...]] = []

    def install(packages: tuple[str, ...], _: str) -> list[str]:
        asked.append(tuple(packages))
        executable(path / "chromium", "echo Chromium 150")
        executable(path / "chromedriver", "true")
        return []

    monkeypatch.setattr(debian_packages, "install", install)

    assert browser.note() == "Chromium 150"
    assert asked == [("chromium", "chromium-driver")]


def test_where_none_can_be_had_that_is_what_the_build_says(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(debian_packages, "install", lambda packages, _: list(packages))
    executable(path / "chromium", "true")

    assert browser.note() == "not run: no chromedriver on the path"
