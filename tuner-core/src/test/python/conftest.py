"""Probes for the tests: the real supervisor and the real probe, over pipes."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from loader_probe.client import Client
from loader_probe.devices import CpuDevice
from loader_probe.launch import command
from loader_probe.sources import Source
from loader_probe.tidying import MARK, MARK_LENGTH

HERE = Path(__file__).parent
PACKAGE_FOLDER = str(HERE.parents[1] / "main" / "python")
USER_CODE = str(HERE / "user_code")

SHORT_PLAN = {
    "warmup_batches": 2,
    "warmup_seconds": 0.0,
    "window_seconds": 0.05,
    "cycle": 2,
    "min_cycles": 2,
    "max_window_seconds": 5.0,
}
TWO_WORKERS = {"num_workers": 2, "batch_size": 4, "prefetch_factor": 2, "persistent_workers": True}
NO_WORKERS = {"num_workers": 0, "batch_size": 4}


def python_source(factory: str, **arguments: Any) -> dict[str, Any]:
    """A source of kind ``python`` from the tests' own user code."""
    return {"kind": "python", "factory": factory, "arguments": arguments, "python_path": [USER_CODE]}


def environment() -> dict[str, str]:
    """What the tuner gives a child, and nothing else of the machine that the tests run on."""
    kept = ("PATH", "HOME", "TMPDIR", "LANG")
    return {name: os.environ[name] for name in kept if name in os.environ} | {
        "OMP_NUM_THREADS": "1",
        "PYTHONHASHSEED": "0",
    }


def seconds_per_batch(result: dict[str, Any]) -> float:
    """Over the window of a round."""
    window, arrivals = result["window"], result["arrivals_us"]
    return (arrivals[window["last"]] - arrivals[window["first"]]) / 1e6 / (window["last"] - window["first"])


def session_over(kind: str, folder: Path) -> Any:
    """What a round asks of a session, over a source of that kind, on the CPU and without a step."""
    return SimpleNamespace(
        source=Source(kind, None, None),
        device=CpuDevice(),
        step=None,
        worker_start=SimpleNamespace(notes_path=str(folder / "notes")),
    )


def wait_for(condition: Callable[[], Any], seconds: float = 20.0) -> Any:
    """Waits until the condition holds, and returns what it said."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        value = condition()
        if value:
            return value
        time.sleep(0.01)
    raise AssertionError(f"{condition} did not come true within {seconds} s")


class Nursery:
    """The real nursery, in a copy of the package. ``packages`` hide installed ones of their names."""

    def __init__(self, folder: Path, **packages: str) -> None:
        self.folder = str(folder)
        shutil.copytree(Path(PACKAGE_FOLDER) / "loader_probe", folder / "loader_probe")
        for name, text in packages.items():
            (folder / name).mkdir()
            (folder / name / "__init__.py").write_text(text, encoding="utf-8")
        self.log_path = folder / "log.txt"
        with self.log_path.open("wb") as log:
            self.process = subprocess.Popen(
                command("nursery", self.folder),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                env=environment() | {MARK: "_" * MARK_LENGTH},
            )
        assert self.process.stdout is not None
        assert self.process.stdout.readline() == b"listening\n"

    def log(self) -> str:
        return self.log_path.read_text(encoding="utf-8")

    def end(self) -> int:
        """Ends it as the death of the tuner does."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.close()
        self.process.stdout.close()
        return self.process.wait(10)


class Probe(Client):
    """A client that knows its log and its supervisor."""

    def __init__(self, role: str, log: Path, folder: str, patience_seconds: float | None, **popen: Any) -> None:
        self.log_path = log
        with log.open("wb") as file:
            super().__init__(folder, role, file, patience_seconds=patience_seconds, env=environment(), **popen)
        started = self.next_line()
        assert started is not None
        self.supervisor = started["pid"]

    def open(self, source: dict[str, Any], step: dict[str, Any] | None = None, device: str = "cpu") -> dict[str, Any]:
        return self.ask("open", source=source, step=step, device=device, seed=7)

    def log(self) -> str:
        return self.log_path.read_text(encoding="utf-8", errors="replace")


def open_together(*probes: tuple[Probe, dict[str, Any]]) -> None:
    """Opens each probe with its source, all at once: importing torch takes a while."""
    asked = [(probe, probe.send("open", source=source, step=None, device="cpu", seed=7)) for probe, source in probes]
    for probe, identity in asked:
        answer = probe.until(identity, "result", "error")
        assert "result" in answer, answer


def _factory(folder: Path, nursery: Nursery) -> Iterator[Callable[..., Probe]]:
    probes: list[Probe] = []

    def start(
        role: str = "warm", source: dict[str, Any] | None = None, package: str | None = None, **popen: Any
    ) -> Probe:
        """Forked from the nursery, or started on the package in that folder."""
        log = folder / f"log-{len(probes)}.txt"
        where = (nursery.folder, 60.0) if package is None else (package, None)
        probe = Probe(role, log, *where, **popen)
        probes.append(probe)
        if source is not None:
            answer = probe.open(source)
            assert "result" in answer, answer
        return probe

    yield start
    for probe in probes:
        probe.close()


@pytest.fixture(scope="session", autouse=True)
def temporary_folder_of_its_own() -> Iterator[None]:
    """Of each process that runs tests: what a killed supervisor leaves is tidied up by whichever starts next."""
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setenv("TMPDIR", folder)
        patch.setattr(tempfile, "tempdir", folder)
        yield


@pytest.fixture(scope="session")
def nursery(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Nursery]:
    """Where probes are forked from: importing torch takes a while."""
    nursery = Nursery(tmp_path_factory.mktemp("nursery"))
    yield nursery
    nursery.end()


@pytest.fixture
def start(tmp_path: Path, nursery: Nursery) -> Iterator[Callable[..., Probe]]:
    """Starts probes that end with the test."""
    yield from _factory(tmp_path, nursery)


@pytest.fixture(scope="module")
def start_shared(tmp_path_factory: pytest.TempPathFactory, nursery: Nursery) -> Iterator[Callable[..., Probe]]:
    """Starts probes that end with the module."""
    yield from _factory(tmp_path_factory.mktemp("shared"), nursery)
