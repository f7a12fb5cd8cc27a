"""Nothing that user code does can hang the tuner, speak in the probe's name, or outlive it."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import NO_WORKERS, SHORT_PLAN, TWO_WORKERS, Probe, python_source, wait_for
from loader_probe.processes import descendants, read_stat

Start = Callable[..., Probe]


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
    return [stat.pid for stat in descendants(probe.process.pid)]


def test_stop_ends_workers_that_left_the_session(start: Start, tmp_path: Path) -> None:
    probe, workers, _ = hang(start, tmp_path / "hanging", own_session=True)

    goodbye = probe.stop()

    assert not any(alive(pid) for pid in workers)
    assert goodbye["event"] == "exited"
    assert goodbye["signal"] == "SIGTERM"
    assert probe.next_line() is None
    assert probe.process.wait(5) == 0


def test_the_death_of_the_tuner_ends_everything(start: Start, tmp_path: Path) -> None:
    probe, workers, _ = hang(start, tmp_path / "hanging")
    everything = below(probe)

    probe.process.stdin.close()

    probe.process.wait(5)
    assert set(workers) < set(everything)
    wait_for(lambda: not any(alive(pid) for pid in everything), 5)


def test_the_death_of_the_supervisor_ends_everything(start: Start, tmp_path: Path) -> None:
    probe, workers, _ = hang(start, tmp_path / "hanging")
    everything = below(probe)

    probe.process.kill()

    assert set(workers) < set(everything)
    wait_for(lambda: not any(alive(pid) for pid in everything), 5)


def test_the_death_of_the_probe_is_told_and_ends_its_workers(start: Start, tmp_path: Path) -> None:
    probe, workers, _ = hang(start, tmp_path / "hanging")
    probe_pid = read_stat(workers[0]).parent

    os.kill(probe_pid, signal.SIGKILL)
    goodbye = probe.until(None, "event")

    assert (goodbye["event"], goodbye["exit_code"], goodbye["signal"]) == ("exited", None, "SIGKILL")
    assert not any(alive(pid) for pid in workers)


def test_stacks_of_a_hang_show_where_user_code_stands(start: Start, tmp_path: Path) -> None:
    probe, workers, _ = hang(start, tmp_path / "hanging")

    processes = probe.ask("stacks", timeout=5)["result"]["processes"]

    assert [process["role"] for process in processes] == ["probe", "worker", "worker"]
    assert {process["pid"] for process in processes[1:]} == set(workers)
    assert "_measure" in processes[0]["stack"]
    for process in processes[1:]:
        assert "wild.py" in process["stack"]
        assert "in wait_for_ever" in process["stack"]
        assert process["stack"].count("most recent call first") == processes[1]["stack"].count("most recent call first")


def test_a_process_that_cannot_answer_does_not_keep_the_others_from_it(start: Start, tmp_path: Path) -> None:
    probe, workers, _ = hang(start, tmp_path / "hanging")
    os.kill(workers[0], signal.SIGSTOP)

    processes = {process["pid"]: process for process in probe.ask("stacks", timeout=5)["result"]["processes"]}

    assert "no Python stack" in processes[workers[0]]["stack"]
    assert "state T" in processes[workers[0]]["stack"]
    assert "in wait_for_ever" in processes[workers[1]]["stack"]


def test_what_user_code_prints_reaches_the_log_and_never_the_protocol(start: Start, tmp_path: Path) -> None:
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


def test_a_probe_that_user_code_ends_quietly_is_reported(start: Start) -> None:
    probe = start()
    probe.send("open", source=python_source("wild:leaves"), step=None, device="cpu", seed=7)

    goodbye = probe.until(None, "event")

    assert goodbye == {"event": "exited", "exit_code": 0, "signal": None, "survivors": 0}
    assert not any("result" in line for line in probe.lines)


def test_a_segfault_in_the_probe_is_reported_and_leaves_a_trace_in_the_log(start: Start, tmp_path: Path) -> None:
    script = tmp_path / "script"
    script.write_text("sigsegv", encoding="utf-8")
    probe = start("inline", python_source("wild:wild", script=str(script)))
    probe.send("check", batch_size=4)

    goodbye = probe.until(None, "event")

    assert goodbye["signal"] == "SIGSEGV"
    assert "wild.py" in probe.log()


def test_a_request_that_cannot_be_read_is_refused(start: Start) -> None:
    probe = start()
    probe.process.stdin.write(b"not json\n")
    probe.process.stdin.flush()

    assert probe.until(None, "error")["error"]["reason"] == "runner_error"
    assert probe.ask("fly")["error"]["message"] == "unknown command 'fly'"
    assert probe.ask("check", batch_size=4)["error"]["message"] == "open comes first, and only once"


def test_the_warm_probe_reads_no_sample_itself(start: Start) -> None:
    warm = start("warm", {"kind": "synthetic", "samples": 64})

    for answer in (
        warm.ask("check", batch_size=4),
        warm.round(NO_WORKERS, SHORT_PLAN),
        warm.ask("step_alone", config=NO_WORKERS, seconds=0.1),
    ):
        assert answer["error"]["reason"] == "runner_error"
        assert "never does" in answer["error"]["message"]


def test_the_inline_probe_starts_no_workers(start: Start) -> None:
    inline = start("inline", {"kind": "synthetic", "samples": 64})

    assert inline.round(TWO_WORKERS, SHORT_PLAN)["error"]["reason"] == "runner_error"


@pytest.mark.parametrize("missing", ["torch", "PIL", "numpy"])
def test_a_missing_package_is_named_with_what_to_do(start: Start, tmp_path: Path, missing: str) -> None:
    # A folder of that name that cannot be imported stands in for an interpreter without the package.
    (tmp_path / "stand-in" / missing).mkdir(parents=True)
    text = f"raise ModuleNotFoundError(\"No module named '{missing}'\", name='{missing}')\n"
    (tmp_path / "stand-in" / missing / "__init__.py").write_text(text, encoding="utf-8")
    from conftest import PACKAGE_FOLDER

    (tmp_path / "stand-in" / "loader_probe").symlink_to(Path(PACKAGE_FOLDER) / "loader_probe")
    probe = start(interpreter_folder=str(tmp_path / "stand-in"))

    error = probe.open({"kind": "image_folder", "path": str(tmp_path)})["error"]

    assert error["reason"] == "environment_error"
    assert f"pip install {'pillow' if missing == 'PIL' else missing}" in error["message"]
