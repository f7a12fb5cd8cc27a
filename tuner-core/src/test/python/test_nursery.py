"""A probe that was forked is like one that was started, and where none can be forked one is started."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from conftest import NO_WORKERS, PACKAGE_FOLDER, SHORT_PLAN, Nursery, Probe, environment, python_source, wait_for
from loader_probe.processes import command_line, descendants

Start = Callable[..., Probe]
Launch = Callable[..., Probe]
Nurse = Callable[..., Nursery]
SYNTHETIC = {"kind": "synthetic", "samples": 64, "shape": [3, 8, 8], "dtype": "uint8"}
HOW = {"NURSERY": "loader_probe.nursery", "PROBE": "loader_probe.probe"}


def came_from(probe: Probe) -> str:
    """What the process below the supervisor was started as; one that was forked, as what it was forked from."""
    loading = next(stat.pid for stat in descendants(probe.supervisor) if stat.parent == probe.supervisor)
    return next(name for name, module in HOW.items() if module in command_line(loading))


def surroundings(probe: Probe, note: Path) -> dict[str, Any]:
    assert "result" in probe.open(python_source("surroundings:note", path=str(note)))
    return json.loads(note.read_text(encoding="utf-8"))


def test_user_code_meets_the_same_in_a_forked_probe(start: Start, tmp_path: Path) -> None:
    forked = start("inline")
    started = start("inline", package=PACKAGE_FOLDER)

    assert surroundings(forked, tmp_path / "forked") == surroundings(started, tmp_path / "started")
    assert (came_from(forked), came_from(started)) == ("NURSERY", "PROBE")


def test_signals_that_the_tuner_ignores_are_the_same_too(
    start: Start, nurse: Nurse, launch: Launch, tmp_path: Path
) -> None:
    ignored = (signal.SIGHUP, signal.SIGTERM)
    before = [signal.signal(number, signal.SIG_IGN) for number in ignored]
    try:
        forked = launch(nurse())
        started = start("inline", package=PACKAGE_FOLDER)
    finally:
        for number, handler in zip(ignored, before):
            signal.signal(number, handler)

    noted = [surroundings(probe, tmp_path / str(number)) for number, probe in enumerate((forked, started))]

    assert came_from(forked) == "NURSERY"
    assert (noted[0]["signals"], noted[0]["masks"]) == (noted[1]["signals"], noted[1]["masks"])


def test_a_forked_probe_says_the_same_of_itself(start: Start) -> None:
    forked, started = start("inline"), start("inline", package=PACKAGE_FOLDER)

    facts = [probe.open(SYNTHETIC)["result"] for probe in (forked, started)]
    checked = [probe.ask("check", batch_size=4)["result"] for probe in (forked, started)]

    for told in facts:
        del told["open_seconds"]
    assert facts[0] == facts[1]
    # What a process shares with the nursery is its own wherever there is none.
    assert 0.6 < checked[0]["process_bytes"] / checked[1]["process_bytes"] < 1.2


def test_probes_of_one_nursery_are_each_others_strangers(start: Start, tmp_path: Path) -> None:
    first, second = start("inline"), start("inline")

    pids = [{stat.pid for stat in descendants(probe.supervisor)} for probe in (first, second)]
    first.open(python_source("surroundings:note", path=str(tmp_path / "first")))
    first.stop()

    assert pids[0].isdisjoint(pids[1])
    assert "result" in second.open(python_source("surroundings:note", path=str(tmp_path / "second")))


@pytest.fixture
def nurse(tmp_path: Path) -> Iterator[Nurse]:
    """Starts nurseries that may be mistreated."""
    nurseries: list[Nursery] = []

    def started(folder: str = "own-nursery", **packages: str) -> Nursery:
        nurseries.append(Nursery(tmp_path / folder, **packages))
        return nurseries[-1]

    yield started
    for nursery in nurseries:
        nursery.process.kill()
        nursery.end()


@pytest.fixture
def launch(tmp_path: Path) -> Iterator[Launch]:
    """Starts inline probes that wait for a nursery so many seconds."""
    probes: list[Probe] = []

    def launched(nursery: Nursery, patience_seconds: float = 60.0) -> Probe:
        probes.append(Probe("inline", tmp_path / f"log-{len(probes)}", nursery.folder, patience_seconds))
        return probes[-1]

    yield launched
    for probe in probes:
        probe.close()


def test_where_the_nursery_is_dead_a_probe_is_started(nurse: Nurse, launch: Launch) -> None:
    nursery = nurse()
    nursery.process.kill()
    nursery.process.wait()

    probe = launch(nursery)

    assert "result" in probe.open(SYNTHETIC)
    assert came_from(probe) == "PROBE"


def test_a_nursery_that_answers_too_late_forks_nothing(nurse: Nurse, launch: Launch) -> None:
    nursery = nurse()
    os.kill(nursery.process.pid, signal.SIGSTOP)
    late = launch(nursery, 0.2)
    os.kill(nursery.process.pid, signal.SIGCONT)

    another = launch(nursery)

    assert (came_from(late), came_from(another)) == ("PROBE", "NURSERY")
    assert "result" in late.open(SYNTHETIC)
    forked = [stat.pid for stat in descendants(nursery.process.pid) if stat.parent == nursery.process.pid]
    assert forked == [another.supervisor]


def test_the_death_of_the_nursery_is_no_matter_to_what_it_has_forked(nurse: Nurse, launch: Launch) -> None:
    nursery = nurse()
    probe = launch(nursery)
    assert "result" in probe.open(SYNTHETIC)

    nursery.process.kill()
    nursery.process.wait()

    assert came_from(probe) == "NURSERY"
    assert "result" in probe.round(NO_WORKERS, {**SHORT_PLAN, "cycle": 1})


@pytest.mark.parametrize(
    ("of_torch", "reason"),
    [
        ("raise ImportError('no such symbol')", "environment_error"),
        ("raise RuntimeError('built for another processor')", "dataset_error"),
        ("import os, signal; os.kill(os.getpid(), signal.SIGILL)", "SIGILL"),
    ],
)
def test_a_nursery_that_cannot_import_ends_and_what_is_started_says_why(
    nurse: Nurse, launch: Launch, of_torch: str, reason: str
) -> None:
    nursery = nurse(torch=of_torch)

    probe = launch(nursery)

    probe.send("open", source=SYNTHETIC, step=None, device="cpu", seed=7)
    said = probe.next_line()
    assert said is not None
    assert reason == (said["error"]["reason"] if "error" in said else said["signal"])
    assert nursery.process.wait(10) != 0
    assert nursery.log() == ""


def test_a_process_whose_imports_start_threads_forks_nothing(nurse: Nurse) -> None:
    with_a_thread = """
import sys, threading, time
folder = sys.path.pop(0)
del sys.modules["torch"]
import torch
sys.path.insert(0, folder)
threading.Thread(target=time.sleep, args=(3600,)).start()
"""
    nursery = nurse(torch=with_a_thread)

    assert nursery.process.wait(60) == 1
    assert "has started threads" in nursery.log()


def test_a_nursery_that_hangs_in_an_import_dies_with_the_tuner(nurse: Nurse) -> None:
    nursery = nurse(torch="print('imports', flush=True)\nimport time\ntime.sleep(3600)")
    wait_for(lambda: "imports" in nursery.log())

    assert nursery.end() == -signal.SIGIO


def test_the_socket_of_a_folder_with_a_long_name_is_found(nurse: Nurse, launch: Launch) -> None:
    nursery = nurse("long" * 40)

    assert came_from(launch(nursery)) == "NURSERY"


def test_a_ctrl_c_in_the_tuners_terminal_is_left_to_the_tuner(start: Start) -> None:
    probe = start("inline")

    probe.process.send_signal(signal.SIGINT)
    os.kill(probe.supervisor, signal.SIGINT)

    assert "result" in probe.open(SYNTHETIC)
    assert "KeyboardInterrupt" not in probe.log()


def test_whoever_waits_for_a_nursery_that_ends_starts_a_probe(nurse: Nurse, tmp_path: Path) -> None:
    nursery = nurse()
    os.kill(nursery.process.pid, signal.SIGSTOP)
    with ThreadPoolExecutor() as pool:
        asked = pool.submit(Probe, "inline", tmp_path / "log", nursery.folder, 60.0)
        time.sleep(0.5)
        nursery.process.kill()
        probe = asked.result(30)

    assert came_from(probe) == "PROBE"
    probe.close()


def test_what_goes_wrong_before_a_supervisor_is_there_is_in_its_log() -> None:
    code = """
import os, socket
from loader_probe import nursery

def full():
    raise OSError("no space left on device")

nursery.Workplace.make = full
origin = nursery.Origin(os.getpid(), os.getppid(), 1)
nursery._fork(socket.socket(socket.AF_UNIX), origin, "warm", [os.dup(0), os.dup(1), os.dup(2), os.dup(2)])
print(os.waitstatus_to_exitcode(os.wait()[1]))
"""

    done = subprocess.run(
        [sys.executable, "-B", "-c", code],
        env=environment() | {"PYTHONPATH": PACKAGE_FOLDER},
        capture_output=True,
        text=True,
        timeout=60,
    )

    assert done.stdout == "70\n"
    assert "OSError: no space left on device" in done.stderr
