"""Nothing that user code does can hang the tuner, speak in the probe's name, or outlive it."""

from __future__ import annotations

import functools
import os
import shutil
import signal
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import NO_WORKERS, PACKAGE_FOLDER, SHORT_PLAN, TWO_WORKERS, Probe, python_source, wait_for
from loader_probe import supervisor
from loader_probe.processes import descendants, read_stat

Start = Callable[..., Probe]


@pytest.fixture(params=["forked", "started"])
def start(request: pytest.FixtureRequest, start: Start) -> Start:
    """Starts probes in both ways."""
    return start if request.param == "forked" else functools.partial(start, package=PACKAGE_FOLDER)


def alive(pid: int) -> bool:
    stat = read_stat(pid)
    return stat is not None and stat.alive


def hang(start: Start, folder: Path, own_session: bool = False) -> tuple[Probe, list[int], int]:
    """A probe whose two workers hang in the dataset; their process ids, and the id of the round."""
    folder.mkdir()
    probe = start("warm", python_source("wild:hanging", folder=str(folder), own_session=own_session))
    identity = probe.send("round", config=TWO_WORKERS, plan=SHORT_PLAN, with_step=False, seed=7)
    wait_for(lambda: len(list(folder.iterdir())) == 2)
    return probe, [int(file.name) for file in folder.iterdir()], identity


def below(probe: Probe) -> list[int]:
    return [stat.pid for stat in descendants(probe.supervisor)]


def test_the_death_of_the_tuner_ends_everything(start: Start, tmp_path: Path) -> None:
    probe, workers, _ = hang(start, tmp_path / "hanging")
    everything = below(probe)

    probe.process.stdin.close()

    probe.process.wait(5)
    assert set(workers) < set(everything)
    wait_for(lambda: not any(alive(pid) for pid in everything), 5)


@pytest.mark.parametrize(
    ("name", "another_file", "stays"),
    [("loader-tuner-probe-1", False, False), ("loader-tuner-probe-2", True, True), ("checkout", False, True)],
)
def test_the_death_of_the_tuner_removes_what_it_unpacked_and_nothing_else(
    start: Start, tmp_path: Path, name: str, another_file: bool, stays: bool
) -> None:
    folder = tmp_path / name
    shutil.copytree(Path(PACKAGE_FOLDER) / "loader_probe", folder / "loader_probe")
    if another_file:
        (folder / "notes").touch()
    tuner = tmp_path / "tuner"
    tuner.write_text(f'#!/bin/sh\nexec 3<&0\n{sys.executable} "$@" <&3 &\nexec 3<&-\nwait\n', encoding="ascii")
    tuner.chmod(0o755)
    probe = start(package=str(folder), interpreter=str(tuner))
    assert "error" in probe.ask("fly"), "all that the probe needs is read by now"

    probe.process.kill()
    probe.process.stdin.close()

    wait_for(lambda: not alive(probe.supervisor))
    assert (folder / "loader_probe" / "probe.py").exists() == stays
    assert folder.exists() == stays


@pytest.mark.parametrize("how", ["terminated", "cut off"])
def test_a_supervisor_that_ends_alone_leaves_what_others_import(start: Start, tmp_path: Path, how: str) -> None:
    folder = tmp_path / "loader-tuner-probe-1"
    shutil.copytree(Path(PACKAGE_FOLDER) / "loader_probe", folder / "loader_probe")
    probe = start(package=str(folder))
    assert "error" in probe.ask("fly"), "all that the probe needs is read by now"

    if how == "terminated":
        os.kill(probe.supervisor, signal.SIGTERM)
    else:
        probe.process.stdin.close()

    wait_for(lambda: not alive(probe.supervisor))
    assert (folder / "loader_probe" / "probe.py").exists()


def test_a_stop_leaves_what_the_tuner_unpacked_to_the_tuner(start: Start, tmp_path: Path) -> None:
    folder = tmp_path / "loader-tuner-probe-1"
    shutil.copytree(Path(PACKAGE_FOLDER) / "loader_probe", folder / "loader_probe")
    probe = start(package=str(folder))

    probe.stop()
    probe.process.wait(5)

    assert folder.exists()


def test_the_end_takes_seven_seconds_at_most() -> None:
    assert supervisor._GRACE_SECONDS + supervisor._KILL_SECONDS + supervisor._FLUSH_SECONDS <= 7


def test_the_death_of_the_supervisor_ends_everything(start: Start, tmp_path: Path) -> None:
    probe, workers, _ = hang(start, tmp_path / "hanging")
    everything = below(probe)

    os.kill(probe.supervisor, signal.SIGKILL)

    assert set(workers) < set(everything)
    wait_for(lambda: not any(alive(pid) for pid in everything), 5)


def test_the_death_of_the_probe_is_told_and_ends_its_workers(start: Start, tmp_path: Path) -> None:
    probe, workers, _ = hang(start, tmp_path / "hanging")
    probe_pid = read_stat(workers[0]).parent

    os.kill(probe_pid, signal.SIGKILL)
    goodbye = probe.until(None, "event")

    assert (goodbye["event"], goodbye["exit_code"], goodbye["signal"]) == ("exited", None, "SIGKILL")
    assert not any(alive(pid) for pid in workers)


def test_a_hang_shows_its_stacks_and_is_stopped_though_its_workers_left_the_session(
    start: Start, tmp_path: Path
) -> None:
    probe, workers, _ = hang(start, tmp_path / "hanging", own_session=True)

    processes = probe.ask("stacks", timeout=5)["result"]["processes"]

    assert [process["role"] for process in processes] == ["probe", "worker", "worker"]
    assert {process["pid"] for process in processes[1:]} == set(workers)
    assert "_measure" in processes[0]["stack"]
    for process in processes[1:]:
        assert "wild.py" in process["stack"]
        assert "in wait_for_ever" in process["stack"]
        assert "in read_ahead" in process["stack"], "another thread than the main one"

    os.kill(workers[0], signal.SIGSTOP)
    stacks = {process["pid"]: process["stack"] for process in probe.ask("stacks", timeout=5)["result"]["processes"]}

    assert "no Python stack" in stacks[workers[0]]
    assert "state T" in stacks[workers[0]]
    assert "in wait_for_ever" in stacks[workers[1]], "one that cannot answer does not keep the others from it"

    goodbye = probe.stop()

    assert not any(alive(pid) for pid in workers)
    assert goodbye["event"] == "exited"
    assert goodbye["signal"] == "SIGTERM"
    assert probe.next_line() is None
    assert probe.process.wait(5) == 0


def test_prints_and_crashes_of_user_code_reach_the_log_and_never_the_protocol(start: Start, tmp_path: Path) -> None:
    script = tmp_path / "script"
    script.write_text("prints", encoding="utf-8")
    probe = start("inline", python_source("wild:wild", script=str(script)))

    answer = probe.round(NO_WORKERS, {**SHORT_PLAN, "cycle": 1})

    assert "result" in answer
    assert not any(line.get("result") in ("printed", "written") for line in probe.lines)
    assert "building the dataset" in probe.log()
    assert "written to descriptor 1" in probe.log()
    assert '"printed"' in probe.log()
    assert '"written"' in probe.log()

    script.write_text("sigsegv", encoding="utf-8")
    probe.send("check", batch_size=4)
    goodbye = probe.until(None, "event")

    assert goodbye["signal"] == "SIGSEGV"
    assert "Segmentation fault" in probe.log()
    assert "in _break" in probe.log(), "a crash leaves its stack in the log"


def test_user_code_that_ends_the_probe_quietly_is_reported(start: Start) -> None:
    probe = start()

    error = probe.open(python_source("wild:exits"))["error"]
    probe.send("open", source=python_source("wild:leaves"), step=None, device="cpu", seed=7)
    goodbye = probe.until(None, "event")

    assert error["reason"] == "dataset_error"
    assert error["exception"] == "SystemExit"
    how = {name: goodbye[name] for name in ("exit_code", "signal", "survivors", "left")}
    assert how == {"exit_code": 0, "signal": None, "survivors": 0, "left": []}
    assert not any("result" in line for line in probe.lines)


def test_a_request_that_cannot_be_read_is_refused(start: Start) -> None:
    probe = start()
    probe.process.stdin.write(b"not json\n")
    probe.process.stdin.flush()

    assert probe.until(None, "error")["error"]["reason"] == "runner_error"
    assert probe.ask("fly")["error"]["message"] == "unknown command 'fly'"
    assert probe.ask("check", batch_size=4)["error"]["message"] == "open comes first, and only once"


def test_an_interpreter_without_torch_is_named_with_what_to_do(start: Start, tmp_path: Path) -> None:
    # A package of that name that cannot be imported stands in for an interpreter without it.
    (tmp_path / "stand-in" / "torch").mkdir(parents=True)
    text = "raise ModuleNotFoundError(\"No module named 'torch'\", name='torch')\n"
    (tmp_path / "stand-in" / "torch" / "__init__.py").write_text(text, encoding="utf-8")
    (tmp_path / "stand-in" / "loader_probe").symlink_to(Path(PACKAGE_FOLDER) / "loader_probe")
    probe = start(package=str(tmp_path / "stand-in"))

    error = probe.open({"kind": "synthetic", "samples": 4})["error"]

    assert error["reason"] == "environment_error"
    assert f"{sys.executable} has no torch" in error["message"]
    assert "-m pip install torch" in error["message"]
