"""Failures have names: what goes wrong is led through real workers, and what cannot be is classified alone."""

from __future__ import annotations

import errno
import json
import multiprocessing
import os
import shutil
import subprocess
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy
import pytest
import torch
from conftest import NO_WORKERS, PACKAGE_FOLDER, SHORT_PLAN, TWO_WORKERS, Probe, python_source
from loader_probe import failing_sample
from loader_probe.deliveries import SeededReads
from loader_probe.failures import Context, classify
from loader_probe.pickling import unpicklable_part
from torch.utils.data import DataLoader
from torch.utils.data._utils import worker

Start = Callable[..., Probe]


class Stage:
    """A warm and an inline probe over one dataset, whose behaviour a file decides."""

    def __init__(self, start: Start, script: Path) -> None:
        self.script = script
        script.write_text("", encoding="utf-8")
        source = python_source("wild:wild", script=str(script))
        self.warm = start("warm", source)
        self.inline = start("inline", source)

    def with_workers(self, what: str) -> dict[str, Any]:
        self.script.write_text(what, encoding="utf-8")
        return self.warm.round(TWO_WORKERS, SHORT_PLAN)["error"]

    def without(self, what: str) -> dict[str, Any]:
        self.script.write_text(what, encoding="utf-8")
        return self.inline.round(NO_WORKERS, {**SHORT_PLAN, "cycle": 1})["error"]


@pytest.fixture(scope="module")
def stage(start_shared: Start, tmp_path_factory: pytest.TempPathFactory) -> Stage:
    return Stage(start_shared, tmp_path_factory.mktemp("script") / "script")


@pytest.mark.parametrize(
    ("what", "reason", "exception", "message"),
    [
        ("value_error", "dataset_error", "ValueError", "ValueError: sample"),
        ("key_error", "dataset_error", "KeyError", "KeyError: 'sample"),
        ("two_arguments", "dataset_error", "wild.TwoArgumentsError", "wild.TwoArgumentsError: ('sample', "),
        ("memory_error", "host_out_of_memory", "MemoryError", "MemoryError: no room"),
        ("many_files", "too_many_open_files", "OSError", "OSError: [Errno 24]"),
        ("lazy_import", "import_error", "ModuleNotFoundError", "ModuleNotFoundError: No module named 'a_package"),
    ],
)
def test_an_exception_keeps_its_type_message_and_place(
    stage: Stage, what: str, reason: str, exception: str, message: str
) -> None:
    in_worker = stage.with_workers(what)
    in_process = stage.without(what)

    for error in (in_worker, in_process):
        assert error["reason"] == reason
        assert error["exception"] == exception
        assert error["frame"].startswith("wild.py:")
        assert error["frame"].endswith("in _break")
        # Memory and descriptors run out at any sample: which one it was says nothing.
        of_a_sample = reason in ("dataset_error", "import_error")
        sample = f"sample {error['details']['index']} ({error['frame']}): " if of_a_sample else ""
        assert error["message"].startswith(sample + message)
        assert "wild.py" in error["traceback"]
    assert in_worker["details"]["worker"] in (0, 1)
    assert "worker" not in in_process["details"]


@pytest.mark.parametrize(("what", "words"), [("none_sample", "NoneType"), ("shapes", "[3]")])
def test_samples_that_do_not_go_together_are_a_collate_error(stage: Stage, what: str, words: str) -> None:
    in_worker = stage.with_workers(what)
    in_process = stage.without(what)

    assert in_worker["reason"] == in_process["reason"] == "collate_error"
    # In a worker torch says no more of different shapes than that a storage cannot be resized.
    assert words in in_process["message"]


@pytest.mark.parametrize(
    ("what", "reason", "signal", "exit_code"),
    [
        ("sigkill", "worker_crashed", "SIGKILL", None),
        ("sigsegv", "worker_crashed", "SIGSEGV", None),
        ("sigbus", "shared_memory_exhausted", "SIGBUS", None),
        ("os_exit", "worker_crashed", None, 3),
        ("sys_exit", "worker_crashed", None, 0),
    ],
)
def test_a_dead_worker_is_told_with_how_it_ended(
    stage: Stage, what: str, reason: str, signal: str | None, exit_code: int | None
) -> None:
    error = stage.with_workers(what)

    assert error["reason"] == reason
    assert error["details"]["signal"] == signal
    assert error["details"]["exit_code"] == exit_code
    assert error["details"]["worker"] in (0, 1)
    assert error["details"]["pid"] > 0


@pytest.mark.parametrize(
    ("ending", "signal_name", "exit_code"),
    [("os.kill(os.getpid(), signal.SIGKILL)", "SIGKILL", None), ("os._exit(3)", None, 3)],
)
def test_a_worker_that_died_while_its_loader_was_made_is_still_told(
    ending: str, signal_name: str | None, exit_code: int | None
) -> None:
    """In a process of its own: torch's handler must not be there before, nor stay."""
    script = f"""
import json, os, signal
from loader_probe import child_deaths
from loader_probe.failures import Context, classify
from torch.utils.data import DataLoader

class Ends:
    def __len__(self):
        return 8
    def __getitem__(self, index):
        {ending}

try:
    with child_deaths.set_aside():
        iterator = iter(DataLoader(Ends(), num_workers=1))
        worker = iterator._workers[0]
        os.waitid(os.P_PID, worker.pid, os.WEXITED | os.WNOWAIT)
except RuntimeError as error:
    child_deaths.ignore()
    of_text, of_worker = classify(error, Context()), classify(error, Context(iterator=iterator))
    print(json.dumps([worker.pid, of_text.as_json(), of_worker.as_json()]))
"""
    run = subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, "PYTHONPATH": PACKAGE_FOLDER},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )

    pid, of_text, of_worker = json.loads(run.stdout)
    for error in (of_text, of_worker):
        assert error["reason"] == "worker_crashed"
        assert error["details"]["pid"] == pid
        assert error["details"]["signal"] == signal_name
        assert error["details"]["exit_code"] == exit_code
    assert of_text["details"]["worker"] is None
    assert f"the worker with process id {pid} " in of_text["message"]
    assert of_worker["details"]["worker"] == 0


@pytest.mark.parametrize(("what", "exception"), [("sys_exit", "SystemExit"), ("interrupt", "KeyboardInterrupt")])
def test_leaving_is_an_error_not_a_quiet_end(stage: Stage, what: str, exception: str) -> None:
    error = stage.without(what)

    assert error["reason"] == "dataset_error"
    assert error["exception"] == exception
    assert error["frame"].startswith("wild.py:")


def test_what_cannot_be_pickled_is_named_with_its_attribute(start: Start) -> None:
    probe = start("warm", python_source("wild:unpicklable"))

    error = probe.round({**TWO_WORKERS, "multiprocessing_context": "spawn"}, SHORT_PLAN)["error"]

    assert error["reason"] == "not_picklable"
    assert error["details"]["part"] == "dataset"
    assert error["details"]["attribute"] == "transform"


class Sharing:
    """Holds what can be sent to a worker only while one is started."""

    def __init__(self) -> None:
        spawning = multiprocessing.get_context("spawn")
        self.count, self.lock, self.queue = spawning.Value("i"), spawning.Lock(), spawning.Queue()
        self.reader, self.writer = spawning.Pipe()


def test_what_can_be_sent_while_a_worker_starts_hides_no_other_part() -> None:
    by_lambda = lambda samples: samples  # noqa: E731

    found = unpicklable_part({"dataset": Sharing(), "collate_fn": by_lambda})

    assert found["part"] == "collate_fn"
    assert unpicklable_part({"dataset": Sharing(), "collate_fn": torch.stack}) == {}
    assert multiprocessing.context.get_spawning_popen() is None


def test_too_few_open_files_are_told_with_the_limit(start: Start, tmp_path: Path) -> None:
    import resource

    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    probe = start(package=PACKAGE_FOLDER, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (80, hard)))
    probe.open(python_source("wild:plain", samples=512))

    error = probe.round({**TWO_WORKERS, "prefetch_factor": 64}, SHORT_PLAN)["error"]

    assert error["reason"] == "too_many_open_files"
    assert error["details"]["limit"] == 80


@pytest.mark.skipif(os.geteuid() != 0 or shutil.which("unshare") is None, reason="needs a mount namespace")
def test_a_full_shared_memory_file_system_is_named(start: Start, tmp_path: Path) -> None:
    wrapper = tmp_path / "python"
    mount = "mount -t tmpfs -o size=4m tmpfs /dev/shm"
    import sys

    wrapper.write_text(f'#!/bin/sh\nexec unshare -m sh -c \'{mount} && exec "$@"\' sh {sys.executable} "$@"\n')
    wrapper.chmod(0o755)
    if subprocess.run([wrapper, "-c", ""], capture_output=True).returncode:
        pytest.skip("this machine allows no mount namespace")
    probe = start(package=PACKAGE_FOLDER, interpreter=str(wrapper))
    probe.open(python_source("wild:plain", samples=64, size=512 * 1024))

    error = probe.round(TWO_WORKERS, SHORT_PLAN)["error"]

    assert error["reason"] == "shared_memory_exhausted"
    assert error["details"]["shared_memory_size_bytes"] == 4 * 1024 * 1024


def raised_by(code: str, file: str, **names: Any) -> BaseException:
    """The exception that code raises which claims to stand in that file."""
    try:
        exec(compile(code, file, "exec"), names)
    except BaseException as error:
        return error
    raise AssertionError("nothing was raised")


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (torch.cuda.OutOfMemoryError("CUDA out of memory"), "gpu_out_of_memory"),
        (RuntimeError("CUDA error: out of memory"), "gpu_out_of_memory"),
        (RuntimeError("Unable to find a valid cuDNN algorithm to run convolution"), "gpu_out_of_memory"),
        (OSError(errno.ENOMEM, "Cannot allocate memory"), "host_out_of_memory"),
        (RuntimeError("[enforce fail] DefaultCPUAllocator: can't allocate memory"), "host_out_of_memory"),
        (RuntimeError("received 0 items of ancdata"), "too_many_open_files"),
        (RuntimeError("can't start new thread"), "process_limit"),
        (RuntimeError("unable to allocate shared memory(shm) for file </torch_1>"), "shared_memory_exhausted"),
        (FileNotFoundError(errno.ENOENT, "No such file", "/a/shared memory.jpg"), "dataset_error"),
        (BlockingIOError(errno.EAGAIN, "Resource temporarily unavailable"), "dataset_error"),
        (ValueError("a CUDA out of memory of the user's own words"), "dataset_error"),
    ],
)
def test_reasons_of_exceptions_raised_here(error: BaseException, reason: str) -> None:
    assert classify(error, Context()).reason == reason


def test_a_fork_that_fails_is_the_process_limit() -> None:
    code = "def _launch():\n    raise BlockingIOError(11, 'Resource temporarily unavailable')\n_launch()"

    failure = classify(raised_by(code, "/usr/lib/python3/multiprocessing/popen_fork.py"), Context())

    assert failure.reason == "process_limit"
    assert "limit" in failure.details


class Decoding:
    """Reads a sample through a function that takes a number of its own."""

    def __getitem__(self, index: Any) -> Any:
        return self.decode(index, quality=2)

    def decode(self, index: Any, quality: int) -> Any:
        raise ValueError(f"broken at quality {quality}")


class DecodingMany(Decoding):
    def __getitem__(self, indices: Any) -> Any:
        return [self.decode(str(index), quality=2) for index in indices]


# As Python 3.12 runs torch's: without a frame for the comprehension.
FETCH = "def fetch(dataset, possibly_batched_index):\n    return dataset[{}]\nfetch(dataset, asked)"


@pytest.mark.parametrize(
    ("dataset", "index", "details"),
    [
        (Decoding(), "possibly_batched_index[2]", {"index": 3}),
        (SeededReads(Decoding(), 1), "possibly_batched_index[2]", {"index": 3}),
        (DecodingMany(), "possibly_batched_index", {"indices": [1, 2, 3]}),
    ],
)
def test_a_sample_is_named_by_what_the_dataset_was_called_with(
    dataset: Any, index: str, details: dict[str, Any]
) -> None:
    asked = [numpy.int64(1), numpy.int64(2), numpy.int64(3)]
    code = FETCH.format(index)

    failure = classify(
        raised_by(code, "/torch/utils/data/_utils/fetch.py", dataset=dataset, asked=asked), Context(dataset=dataset)
    )

    assert failure.details == details


def refuse(samples: list[Any]) -> Any:
    raise ValueError("the samples do not go together")


def collating(samples: list[Any]) -> BaseException:
    """The exception of a loader that cannot put these samples together."""
    loader = DataLoader(samples, batch_size=len(samples), collate_fn=refuse)
    return raised_by("next(iter(loader))", "/home/me/train.py", loader=loader)


def test_the_order_of_names_makes_no_sample_odd() -> None:
    usual, turned = {"a": torch.zeros(2), "b": 1}, {"b": 1, "a": torch.zeros(2)}

    alike = classify(collating([usual, turned]), Context())
    odd = classify(collating([turned, usual, {"b": 1, "a": torch.zeros(3)}]), Context())

    assert alike.details == {"indices": [0, 1]}
    assert odd.details["indices"] == [2, 0]
    assert odd.details["path"] == "a"
    assert odd.reason == alike.reason == "collate_error"


def test_samples_of_many_parts_fit_in_a_workers_note(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    large = {f"feature_{number:03}": number for number in range(300)}
    monkeypatch.setattr(worker, "ExceptionWrapper", lambda: None)
    with (tmp_path / "notes").open("wb") as notes:
        failing_sample.note_in_worker(1, notes.fileno())
        try:
            raise collating([large, None, large])
        except ValueError:
            worker.ExceptionWrapper()

    noted = failing_sample.of_notes(str(tmp_path / "notes"), 1)

    assert noted is not None
    assert noted.details["indices"] == [1, 0]
    assert noted.text.startswith("sample 1 is None, but sample 0 has feature_000, feature_001, ")


def test_the_cause_of_a_chain_is_found() -> None:
    code = "try:\n    raise MemoryError\nexcept MemoryError as e:\n    raise ValueError('sample') from e"

    assert classify(raised_by(code, "/home/me/mydata.py"), Context()).reason == "host_out_of_memory"


@pytest.mark.parametrize(
    ("raising", "reason"),
    [
        ("raise OSError('truncated')", "dataset_error"),
        ("raise OSError('truncated') from error", "import_error"),
        ("raise OSError('truncated') from None", "dataset_error"),
        ("raise", "import_error"),
        ("try:\n        raise ValueError\n    except ValueError as e:\n        raise OSError from e", "dataset_error"),
    ],
)
def test_an_import_that_failed_before_is_the_matter_only_where_code_says_so(raising: str, reason: str) -> None:
    code = f"try:\n    import a_package_that_nobody_has\nexcept ImportError as error:\n    {raising}"
    error = raised_by(code, "/home/me/mydata.py")
    text = "".join(traceback.format_exception(type(error), error, error.__traceback__))
    in_worker = OSError(f"Caught OSError in DataLoader worker process 0.\nOriginal {text}")

    assert classify(error, Context()).reason == reason
    assert classify(in_worker, Context()).reason == reason


def test_an_error_that_speaks_of_nothing_while_memory_is_at_its_end_is_for_want_of_memory(start: Start) -> None:
    probe = start("inline", python_source("wild_hangs:samples", kind="Cramped"))

    error = probe.round(NO_WORKERS, {**SHORT_PLAN, "cycle": 1})["error"]

    assert error["reason"] == "host_out_of_memory"
    assert error["message"] == "RuntimeError: the decoder returned -1"
    assert error["details"]["memory"] == "address space (ulimit -v)"
    assert error["details"]["memory_used_bytes"] >= 0.98 * error["details"]["memory_limit_bytes"]


def test_the_same_error_with_room_left_is_the_datasets() -> None:
    assert classify(
        raised_by("raise RuntimeError('the decoder returned -1')", "/home/me/mydata.py"), Context()
    ).reason == ("dataset_error")


@pytest.mark.parametrize(
    ("free", "reserved", "allocated", "reason"),
    [
        # Of a GPU of 100, of which torch's context takes 1.
        (0, 99, 98, "gpu_out_of_memory"),
        (0, 99, 40, "dataset_error"),
        (0, 9, 9, "dataset_error"),
        (50, 49, 49, "dataset_error"),
    ],
)
def test_a_full_gpu_is_the_matter_only_if_this_process_uses_it(
    monkeypatch: pytest.MonkeyPatch, free: int, reserved: int, allocated: int, reason: str
) -> None:
    """The second case is torch's cache, the third is other processes that take 90."""
    answers = {"is_initialized": True, "mem_get_info": (free, 100)}
    answers |= {"memory_reserved": reserved, "memory_allocated": allocated}
    for name, answer in answers.items():
        monkeypatch.setattr(torch.cuda, name, lambda answer=answer: answer)

    failure = classify(raised_by("raise RuntimeError('the decoder returned -1')", "/home/me/mydata.py"), Context())

    assert failure.reason == reason


def test_a_long_traceback_is_bounded_and_keeps_its_end() -> None:
    failure = classify(raised_by("raise ValueError('x' * 100_000 + 'the end')", "/home/me/mydata.py"), Context())

    told = failure.as_json()
    assert len(told["traceback"]) <= 16 * 1024
    assert told["traceback"].rstrip().endswith("the end")
    assert len(told["message"]) <= 4 * 1024


@pytest.mark.parametrize(
    ("noted", "message"),
    [
        ("ConnectionResetError: [Errno 104] Connection reset by peer", "worker 0 was killed by SIGKILL"),
        ("BrokenPipeError: [Errno 32] Broken pipe", "worker 0 was killed by SIGKILL"),
        ("EOFError", "worker 0 was killed by SIGKILL"),
        ("http.client.RemoteDisconnected: closed without response", "worker 0 was killed by SIGKILL"),
        ("RuntimeError: unable to open shared memory object", "RuntimeError: unable to open shared memory object"),
    ],
)
def test_a_connection_that_broke_in_a_worker_is_not_why_another_died(tmp_path: Path, noted: str, message: str) -> None:
    text = f'Traceback (most recent call last):\n  File "connection.py", line 1, in recv\n{noted}\n'
    (tmp_path / "notes").write_text(json.dumps({"worker": 1, "text": text}) + "\n")
    workers = [SimpleNamespace(exitcode=-9, pid=12), SimpleNamespace(exitcode=None, pid=13)]
    context = Context(iterator=SimpleNamespace(_workers=workers), notes_path=str(tmp_path / "notes"))
    error = RuntimeError("DataLoader worker (pid 12) is killed by signal: Killed. ")

    assert classify(error, context).message.startswith(message)
