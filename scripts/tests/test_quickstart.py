"""When the main job builds, and how it puts what is recommended."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
import quickstart_report
import quickstart_service
from conftest import executable
from quickstart_service import QuickstartFailure, build_service

OLD, NEW, NEWER = 1000.0, 2000.0, 3000.0


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project that was last changed at OLD, with a Maven that only notes that it ran."""
    monkeypatch.setattr(quickstart_service, "ROOT", tmp_path)
    monkeypatch.setattr(quickstart_service, "JAR", tmp_path / "tuner-service" / "target" / "tuner-service.jar")
    for name in ("pom.xml", "tuner-core/pom.xml", "tuner-core/src/main/java/A.java", "tuner-core/src/test/java/B.java"):
        written(tmp_path / name, OLD)
    maven(tmp_path, "mkdir -p tuner-service/target && touch tuner-service/target/tuner-service.jar")
    monkeypatch.setenv("PATH", str(tmp_path / "bin"), prepend=os.pathsep)
    return tmp_path


def written(file: Path, second: float) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.touch()
    os.utime(file, (second, second))


def maven(root: Path, script: str) -> None:
    executable(root / "bin" / "mvn", f'echo "$*" >> {root}/built\n{script}')


def built(root: Path) -> list[str]:
    log = root / "built"
    return log.read_text(encoding="utf-8").splitlines() if log.exists() else []


def test_a_jar_newer_than_its_sources_is_not_built_again(root: Path) -> None:
    written(quickstart_service.JAR, NEW)
    written(root / "tuner-core/src/test/java/B.java", NEWER)
    written(root / "tuner-core/src/main/python/probe/__pycache__/a.pyc", NEWER)

    assert build_service() == quickstart_service.JAR
    assert built(root) == []


@pytest.mark.parametrize("changed", ["tuner-core/src/main/java/A.java", "tuner-core/pom.xml", "pom.xml"])
def test_a_jar_older_than_a_source_is_built_again(root: Path, changed: str) -> None:
    written(quickstart_service.JAR, NEW)
    written(root / changed, NEWER)

    assert build_service() == quickstart_service.JAR
    assert built(root) == ["-q -B -ntp -DskipTests package"]


@pytest.mark.parametrize(
    ("script", "message"), [("exit 1", "The build failed, see above"), ("exit 0", "The build made no ")]
)
def test_a_build_that_makes_no_jar_is_an_error(root: Path, script: str, message: str) -> None:
    maven(root, script)

    with pytest.raises(QuickstartFailure, match=f"^{message}"):
        build_service()


def test_without_maven_the_error_says_so(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(root))

    with pytest.raises(QuickstartFailure, match="no `mvn` on the PATH"):
        build_service()


def study(kind: str, workers: int, speedup: dict[str, Any] | None) -> dict[str, Any]:
    rate = {"samples_per_second": 210.4, "low": 198.6, "high": 222.0, "rounds": 3}
    return {
        "dataset": "photos",
        "device": "cpu",
        "objective": "loader_only",
        "baseline": {"config": {"num_workers": 0, "batch_size": 64}, "throughput": rate},
        "recommendation": {
            "kind": kind,
            "config": {"num_workers": workers, "prefetch_factor": 2, "batch_size": 64},
            "throughput": rate,
            "speedup": speedup,
        },
    }


def test_what_is_faster_is_told_with_its_ratio() -> None:
    speedup = {"ratio": 1.654, "low": 1.327, "high": 2.034, "rounds": 3}

    lines = quickstart_report.answer(study("faster", 2, speedup))

    assert lines[0] == "Recommended for photos: 2 workers, prefetch 2, batch 64"
    assert "  yours        0 workers, batch 64: 210/s [199–222] in 3 rounds" in lines
    assert "  ratio        1.65 [1.33–2.03] in 3 paired rounds: faster than yours, beyond noise" in lines


def test_what_is_kept_is_told_to_be() -> None:
    lines = quickstart_report.answer(study("kept", 0, None))

    assert lines[0] == "Recommended for photos: 0 workers, batch 64"
    assert "  outcome      no measurable improvement, yours is kept" in lines
