"""Nothing of a round is there when the next trial begins, and nothing of anybody else is touched."""

from __future__ import annotations

import dataclasses
import json
import mmap
import os
import signal
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from conftest import NO_WORKERS, PACKAGE_FOLDER, SHORT_PLAN, TWO_WORKERS, Probe, python_source, wait_for
from loader_probe.processes import ProcessStat, read_stat
from loader_probe.remains import FOLDER, Remains
from loader_probe.supervisor import Supervisor
from loader_probe.tidying import MARK, Tidying

Start = Callable[..., Probe]
SHARED = Path(FOLDER)
PID_OF_NOBODY = 1 << 23


def alive(pid: int) -> bool:
    stat = read_stat(pid)
    return stat is not None and stat.alive


def sleeping(processes: list[dict[str, Any]]) -> list[int]:
    """The processes by the name of ``sleep``. Python's own helpers, which are about to end, may be there too."""
    return sorted(process["pid"] for process in processes if process["name"] == "sleep")


class Left:
    """What the workers of a round left, as they noted it."""

    def __init__(self, folder: Path) -> None:
        notes = [file.read_text(encoding="ascii").split("\n") for file in sorted(folder.glob("worker-*"))]
        self.processes = sorted(int(note[0]) for note in notes)
        self.names = [name for note in notes for name in note[1:]]
        self.standing = int((folder / "standing").read_text(encoding="ascii"))

    def in_shared_memory(self) -> list[str]:
        return [name for name in self.names if (SHARED / name).exists()]


def a_round_that_left_things(start: Start, folder: Path, **how: Any) -> tuple[Probe, Left]:
    probe = start("warm", python_source("wild_hangs:samples", kind="LeavesThings", folder=str(folder)), **how)
    assert "result" in probe.round(TWO_WORKERS, SHORT_PLAN)
    left = Left(folder)
    assert len(left.processes) == 2
    assert all(alive(pid) for pid in left.processes)
    assert left.in_shared_memory() == left.names
    return probe, left


def swept(start: Start) -> Probe:
    """A probe that nothing was asked of yet: its supervisor has tidied up after those that were killed."""
    probe = start("inline")
    assert "error" in probe.ask("fly")
    return probe


@pytest.fixture
def impatient(tmp_path_factory: pytest.TempPathFactory) -> str:
    """An interpreter under which a supervisor soon gives up on what it cannot end."""
    script = tmp_path_factory.mktemp("impatient") / "python"
    script.write_text(
        f"""#!{sys.executable} -B
import sys

sys.path[0], role = sys.argv[-2:]
sys.argv = ["-c", role]
from loader_probe import supervisor, tidying

tidying._KILL_SECONDS = supervisor._GRACE_SECONDS = supervisor._KILL_SECONDS = 0.3
supervisor.main()
""",
        encoding="utf-8",
    )
    script.chmod(0o755)
    return str(script)


@pytest.fixture
def foreign() -> Iterator[Path]:
    """A segment of torch's that no probe made."""
    file = SHARED / f"torch_{PID_OF_NOBODY}_1_1"
    file.touch(mode=0o600)
    yield file
    file.unlink()


def test_what_a_round_left_is_gone_before_the_next_and_nothing_else(
    start: Start, tmp_path: Path, foreign: Path
) -> None:
    probe, left = a_round_that_left_things(start, tmp_path)
    held = SHARED / left.names[-1]
    with held.open("r+b") as file:
        file.truncate(4096)
        mapped = mmap.mmap(file.fileno(), 4096)

    told = probe.ask("tidy")["result"]

    assert sleeping(told["ended"]) == left.processes
    assert sorted(told["removed"]) == sorted(set(left.names) - {held.name})
    assert told["left"] == []
    assert not any(alive(pid) for pid in left.processes)
    assert left.in_shared_memory() == [held.name], "what somebody holds stays"
    assert alive(left.standing), "what the dataset started as it was built belongs to it"
    assert foreign.exists()
    assert f"loader-tuner: ended process {left.processes[0]} (sleep)" in probe.log()
    assert f"loader-tuner: removed /dev/shm/{left.names[0]}" in probe.log()
    assert "result" in probe.round(TWO_WORKERS, SHORT_PLAN)

    mapped.close()
    goodbye = probe.stop()

    assert goodbye["left"] == []
    assert not held.exists()
    assert not alive(left.standing)
    assert foreign.exists()


def test_what_samples_start_in_the_probe_itself_belongs_to_the_dataset(start: Start, tmp_path: Path) -> None:
    probe = start("inline", python_source("wild_hangs:samples", kind="StartsAProcess", note=str(tmp_path / "note")))
    probe.ask("tidy")
    probe.round(NO_WORKERS, {**SHORT_PLAN, "cycle": 1})
    started = int((tmp_path / "note").read_text(encoding="ascii"))

    assert probe.ask("tidy")["result"] == {"ended": [], "removed": [], "left": []}
    assert alive(started)

    probe.stop()

    assert not alive(started)


def test_the_next_supervisor_tidies_up_after_one_that_was_killed(start: Start, tmp_path: Path, foreign: Path) -> None:
    (tmp_path / "things").mkdir()
    probe, left = a_round_that_left_things(start, tmp_path / "things")

    os.kill(probe.supervisor, signal.SIGKILL)
    probe.process.wait(5)
    another = swept(start)

    assert not any(alive(pid) for pid in [*left.processes, left.standing])
    assert left.in_shared_memory() == []
    assert foreign.exists()
    assert "of a probe that is gone" in another.log()


def test_a_supervisor_that_lives_keeps_its_own_from_the_others(start: Start, tmp_path: Path) -> None:
    (tmp_path / "things").mkdir()
    probe, left = a_round_that_left_things(start, tmp_path / "things")

    swept(start)

    assert all(alive(pid) for pid in left.processes)
    assert left.in_shared_memory() == left.names
    assert sleeping(probe.ask("tidy")["result"]["ended"]) == left.processes


@pytest.mark.skipif(
    not os.access("/sys/fs/cgroup/freezer", os.W_OK), reason="a process that cannot be ended needs a freezer cgroup"
)
def test_what_cannot_be_ended_is_told(start: Start, tmp_path: Path, impatient: str) -> None:
    probe, left = a_round_that_left_things(start, tmp_path, package=PACKAGE_FOLDER, interpreter=impatient)
    environment = Path(f"/proc/{left.standing}/environ").read_text(encoding="utf-8").split("\0")
    (mark,) = [entry.partition("=")[2] for entry in environment if entry.startswith(f"{MARK}=")]
    folder = Path(tempfile.gettempdir(), mark)
    group = Path("/sys/fs/cgroup/freezer", f"loader-tuner-test-{os.getpid()}")
    group.mkdir()
    try:
        (group / "cgroup.procs").write_text(str(left.processes[0]), encoding="ascii")
        (group / "freezer.state").write_text("FROZEN", encoding="ascii")

        told = probe.ask("tidy", timeout=10)["result"]

        assert sleeping(told["ended"]) == left.processes[1:]
        assert sleeping(told["left"]) == left.processes[:1]
        assert [process["pid"] for process in probe.stop()["left"]] == left.processes[:1]
        assert folder.exists(), "the next supervisor is to see to it"
    finally:
        (group / "freezer.state").write_text("THAWED", encoding="ascii")
        wait_for(lambda: not alive(left.processes[0]))
        wait_for(lambda: not (group / "cgroup.procs").read_text(encoding="ascii"))
        group.rmdir()

    swept(start)

    assert not folder.exists()


def test_a_process_that_cannot_be_ended_and_goes_on_is_left_and_not_ended(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    busy = ProcessStat(PID_OF_NOBODY, "busy", "D", 1, cpu_ticks=5, started=100)
    gone = ProcessStat(PID_OF_NOBODY + 1, "gone", "S", 1, cpu_ticks=5, started=100)
    tidying = Tidying(1, False, Remains("loader-probe-x", str(tmp_path / "processes"), str(tmp_path)))
    tidying.note_standing()
    monkeypatch.setattr("loader_probe.tidying.descendants", lambda pid: [busy, gone])
    monkeypatch.setattr("loader_probe.tidying.end", lambda *_: [dataclasses.replace(busy, cpu_ticks=9)])

    told = tidying.tidy()

    assert [process["name"] for process in told["ended"]] == ["gone"]
    assert [process["name"] for process in told["left"]] == ["busy"]


@pytest.mark.parametrize(
    ("command", "notes"),
    [("open", 0), ("check", 0), ("step_alone", 0), ("round", 1), ("deliveries", 1), ("examine", 1), ("epoch_gap", 1)],
)
def test_what_stands_is_noted_before_workers_are_started(command: str, notes: int) -> None:
    supervisor = Supervisor("warm", os.getppid())
    noted: list[str] = []
    supervisor._tidying = SimpleNamespace(note_standing=lambda: noted.append(command))
    supervisor._write_requests = lambda: None

    supervisor._take_request(json.dumps({"id": 1, "command": command}).encode())

    assert noted == [command] * notes


def test_segments_are_attributed_by_mark_or_by_the_process_that_made_them(tmp_path: Path) -> None:
    noted = tmp_path / "processes"
    noted.write_text("12 100.0\n13 99999999999.0\n", encoding="ascii")
    shared = tmp_path / "shm"
    shared.mkdir()
    ours = ["torch_12_345_6", "sem.loader-probe-x-abc", "loader-probe-x-0011"]
    for name in [
        *ours,
        "torch_13_1_1",
        "torch_14_1_1",
        "torch_12_cache",
        "sem.mp-abc",
        "psm_00",
        "sem.loader-probe-xy-a",
    ]:
        (shared / name).touch()

    remains = Remains("loader-probe-x", str(noted), str(shared))

    assert remains.names() == set(ours), "13 began after its segment was made"


def test_term_reaches_what_left_the_session(start: Start, tmp_path: Path) -> None:
    probe = start("warm", python_source("wild_hangs:samples", kind="LeavesThings", folder=str(tmp_path)))
    probe.round(TWO_WORKERS, SHORT_PLAN)
    left = Left(tmp_path)
    assert os.getsid(left.processes[0]) == left.processes[0]

    goodbye = probe.stop()

    assert goodbye["survivors"] == 0, "all ended of TERM, none had to be killed"
    assert goodbye["signal"] == signal.Signals.SIGTERM.name
