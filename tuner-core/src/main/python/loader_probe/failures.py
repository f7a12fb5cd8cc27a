"""A failure as the protocol states it, and how an exception becomes one.

What is sure is looked at first: how a worker process ended, then types along the exception's chain, and the text of a
message only where torch offers nothing else.
"""

from __future__ import annotations

import errno
import json
import os
import pickle
import re
import signal
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from loader_probe import failing_sample, limits, memory_state
from loader_probe.cgroups import oom_kills
from loader_probe.pickling import unpicklable_part
from loader_probe.processes import signal_name
from loader_probe.tracebacks import Cause, Raised, type_of

_MAX_TRACEBACK = 16 * 1024
_MAX_MESSAGE = 4 * 1024

_MISSING_WORKER = re.compile(r"DataLoader worker \(pid")
_END_OF_WORKER = re.compile(
    r"DataLoader worker \(pid (?P<pid>\d+)\) (?:is killed by signal: (?P<signal>.+?)\. "
    r"|exited unexpectedly with exit code (?P<code>\d+)\.)"
)


# Compared by identity: an exception must stay hashable.
@dataclass(eq=False)
class ProbeFailure(Exception):
    """What goes into ``error``: a reason of the design's section 8 and what was seen."""

    reason: str
    message: str
    details: dict[str, Any] = field(default_factory=dict)
    exception: str | None = None
    traceback: str | None = None
    frame: str | None = None

    def __str__(self) -> str:
        return self.message

    def as_json(self) -> dict[str, Any]:
        return {
            "reason": self.reason,
            "message": _bounded(self.message, _MAX_MESSAGE),
            "exception": self.exception,
            "traceback": None if self.traceback is None else _bounded(self.traceback, _MAX_TRACEBACK),
            "frame": self.frame,
            "details": self.details,
        }


@dataclass(frozen=True)
class Context:
    """What is known about the moment of an exception. ``doing`` names the part of user code that ran, if any.

    ``own`` is what a ``DataLoader`` of the user's own decides.
    """

    doing: str = "dataset"
    iterator: Any = None
    dataset: Any = None
    own: Any = None
    oom_kills_before: int | None = None
    notes_path: str | None = None


def classify(error: BaseException, context: Context) -> ProbeFailure:
    """The failure that an exception stands for."""
    if isinstance(error, ProbeFailure):
        return error
    raised = Raised.of(error)
    details: dict[str, Any] = {} if raised.worker is None else {"worker": raised.worker}
    if context.doing != "dataset":
        details["part"] = context.doing
    failure = ProbeFailure(
        "dataset_error", raised.message, details, raised.exception, raised.traceback, raised.user_frame()
    )
    crashed = None if raised.worker is not None else _crashed_worker(error, raised, context)
    if crashed is not None:
        failure.reason, failure.message, more = crashed
        details.update(more)
        noted = _noted_by_worker(error, context)
        if noted is None or failure.reason != "worker_crashed":
            return failure
        failure.message, failure.exception, failure.traceback = noted.message, noted.exception, noted.traceback
        failure.reason = _reason_of_text(noted.message) or "worker_crashed"
    else:
        failure.reason = _reason(error, raised, context)
        spent = memory_state.spent() if failure.reason == "dataset_error" and isinstance(error, RuntimeError) else None
        if spent is not None:
            failure.reason = "gpu_out_of_memory" if spent["memory"] == "gpu" else "host_out_of_memory"
            details.update(spent)
    if failure.reason == "not_picklable":
        _name_what_cannot_be_pickled(failure, context)
    elif crashed is None and failure.reason in ("dataset_error", "collate_error", "import_error"):
        _name_the_sample(failure, error, raised, context)
    elif failure.reason == "shared_memory_exhausted":
        details.update(_shared_memory())
    elif failure.reason in ("too_many_open_files", "process_limit"):
        limit = limits.open_files() if failure.reason == "too_many_open_files" else limits.processes()
        details.update(limit)
        if limit["limit"] is not None:
            failure.message += f" (the limit is {limit['limit']}: {limit['limit_name']})"
    if context.doing == "step":
        failure.message = f"the training step failed: {failure.message}"
    return failure


def _name_what_cannot_be_pickled(failure: ProbeFailure, context: Context) -> None:
    """Of what a worker is sent; a sampler is not, and the probe's own parts can be pickled."""
    parts = {"dataset": context.dataset}
    if context.own is not None:
        parts.update(collate_fn=context.own.collate_fn, worker_init_fn=context.own.worker_init_fn)
    found = unpicklable_part(parts)
    if found:
        failure.details.update(found)
        attribute = f".{found['attribute']}" if found["attribute"] else ""
        failure.message = f"{found['part']}{attribute} cannot be sent to a worker: {failure.message}"


def _name_the_sample(failure: ProbeFailure, error: BaseException, raised: Raised, context: Context) -> None:
    """Puts first which sample it was and where in the user's code it failed."""
    if raised.worker is None:
        sample = failing_sample.of_traceback(error.__traceback__)
    else:
        sample = failing_sample.of_notes(context.notes_path, raised.worker)
    if sample is None:
        return
    if failure.frame is None:
        failure.frame = _where_samples_come_from(context.dataset)
    place = "" if failure.frame is None else f" ({failure.frame})"
    failure.message = f"{sample.text}{place}: {failure.message}"
    failure.details.update(sample.details)


def _where_samples_come_from(dataset: Any) -> str | None:
    code = getattr(
        getattr(type(dataset), "__getitem__", None) or getattr(type(dataset), "__iter__", None), "__code__", None
    )
    return code and f"{os.path.basename(code.co_filename)}:{code.co_firstlineno} in {code.co_name}"


def _reason(error: BaseException, raised: Raised, context: Context) -> str:
    links = list(_chain(error))
    found = [(_reason_of_type(link, raised), stated) for link, stated in links]
    if raised.worker is not None:
        messages = [Cause(raised.message, True), *raised.causes]
    else:
        messages = [
            Cause(Raised.of(link).message, stated)
            for link, stated in links
            if not isinstance(link, (OSError, ImportError))
        ]
    found += [(_reason_of_text(message), stated) for message, stated in messages]
    for reason, stated in found:
        # Many try one package and then another: that an import failed before counts only where code says so.
        if reason is not None and (stated or reason != "import_error"):
            return reason
    if raised.in_loader_start() and isinstance(error, (ValueError, AssertionError)):
        return "invalid_config"
    if context.doing == "dataset" and raised.in_collate():
        return "collate_error"
    return "dataset_error"


def _chain(error: BaseException) -> Iterator[tuple[BaseException, bool]]:
    """The exception and those that led to it, each with whether code stated that."""
    seen: set[int] = set()
    link: BaseException | None = error
    stated = True
    while link is not None and id(link) not in seen:
        seen.add(id(link))
        yield link, stated
        stated = stated and link.__cause__ is not None
        link = link.__cause__ or (None if link.__suppress_context__ else link.__context__)


def _reason_of_type(error: BaseException, raised: Raised) -> str | None:
    torch = sys.modules.get("torch")
    for owner in (torch, getattr(torch, "cuda", None)):
        out_of_memory = getattr(owner, "OutOfMemoryError", None)
        if out_of_memory is not None and isinstance(error, out_of_memory):
            return "gpu_out_of_memory"
    if isinstance(error, MemoryError):
        return "host_out_of_memory"
    if isinstance(error, ImportError):
        return "import_error"
    if isinstance(error, pickle.PicklingError):
        return "not_picklable"
    if isinstance(error, (TypeError, AttributeError)) and raised.in_pickling():
        return "not_picklable"
    if isinstance(error, OSError):
        return _reason_of_errno(error.errno, raised)
    return None


def _reason_of_errno(number: int | None, raised: Raised) -> str | None:
    if number in (errno.EMFILE, errno.ENFILE):
        return "too_many_open_files"
    if number == errno.EAGAIN and raised.in_process_start():
        return "process_limit"
    if number == errno.ENOMEM:
        return "host_out_of_memory"
    return None


def _reason_of_text(text: str) -> str | None:
    """For exceptions that crossed a process as text, and for those that torch raises as bare ``RuntimeError``."""
    full_name = type_of(text)
    name = full_name.rpartition(".")[2]
    if name == "OutOfMemoryError":
        return "gpu_out_of_memory"
    if name == "PicklingError" or text.partition(": ")[2].startswith(
        ("cannot pickle", "Can't pickle", "Can't get local")
    ):
        return "not_picklable"
    if _is_memory_error(full_name) or ("DefaultCPUAllocator" in text and "allocate memory" in text):
        return "host_out_of_memory"
    if name in ("ImportError", "ModuleNotFoundError"):
        return "import_error"
    if name == "OSError" and f"[Errno {errno.EMFILE}]" in text:
        return "too_many_open_files"
    if name == "RuntimeError":
        if "Too many open files" in text or "items of ancdata" in text:
            return "too_many_open_files"
        if "shared memory" in text or "torch_shm" in text or ("unable to" in text and "</torch_" in text):
            return "shared_memory_exhausted"
        if ("CUDA" in text and "out of memory" in text) or "Unable to find a valid cuDNN algorithm" in text:
            return "gpu_out_of_memory"
        if "can't start new thread" in text:
            return "process_limit"
        if "DataLoader timed out after" in text:
            return "timed_out"
    if name == "OSError" and f"[Errno {errno.ENOSPC}]" in text and "/dev/shm" in text:
        return "shared_memory_exhausted"
    return None


def _is_memory_error(full_name: str) -> bool:
    return full_name.rpartition(".")[2] in ("MemoryError", "_ArrayMemoryError") or _is_a(full_name, MemoryError)


def _is_a(full_name: str, *types: type) -> bool:
    """Whether the type of that name is one of these; a module that is not imported here is not imported for it."""
    module, _, name = full_name.rpartition(".")
    found = getattr(sys.modules.get(module or "builtins"), name, None)
    return isinstance(found, type) and issubclass(found, types)


def _crashed_worker(error: BaseException, raised: Raised, context: Context) -> tuple[str, str, dict[str, Any]] | None:
    """How a worker process ended, where that is what made ``error`` happen."""
    workers = list(getattr(context.iterator, "_workers", None) or raised.loader_workers())
    lost_contact = isinstance(error, (ConnectionError, EOFError, FileNotFoundError)) and raised.in_process_talk()
    says_so = isinstance(error, RuntimeError) and _MISSING_WORKER.search(str(error)) is not None
    if not workers and not says_so:
        return None
    ended = _ended(workers, wait_seconds=0.5 if lost_contact or says_so else 0.0)
    bad = [(number, worker) for number, worker in ended if worker.exitcode != 0]
    if not (bad or lost_contact or says_so):
        return None
    if not (bad or ended):
        end = _end_in_text(str(error)) if says_so else None
        if end is None:
            message = raised.message if says_so else f"the connection to a worker broke off ({raised.message})"
            return "worker_crashed", message, {"worker": None, "pid": None, "signal": None, "exit_code": None}
        number, (pid, code) = None, end
    else:
        number, worker = (bad or ended)[0]
        pid, code = worker.pid, worker.exitcode
    who = f"worker {number}" if number is not None else f"the worker with process id {pid}"
    name = signal_name(-code) if code < 0 else None
    details = {"worker": number, "pid": pid, "signal": name, "exit_code": code if code >= 0 else None}
    if ended:
        details["workers_ended"] = len(ended)
    if name == "SIGBUS":
        details.update(_shared_memory())
        message = f"{who} was ended by SIGBUS: the shared memory file system is probably full"
        return "shared_memory_exhausted", message, details
    if name == "SIGKILL":
        now = oom_kills()
        if now is not None and context.oom_kills_before is not None and now > context.oom_kills_before:
            details["oom_kills"] = now - context.oom_kills_before
            return "host_out_of_memory", f"{who} was killed by the kernel for want of memory", details
        return "worker_crashed", f"{who} was killed by SIGKILL: probably out of memory", details
    if name is not None:
        return "worker_crashed", f"{who} was ended by {name}", details
    hint = ": the dataset called sys.exit() or os._exit(), or was interrupted" if code == 0 else ""
    return "worker_crashed", f"{who} exited unexpectedly with status {code}{hint}", details


def _end_in_text(text: str) -> tuple[int, int] | None:
    """Process id and exit code, negative for a signal, of a worker of which torch's message is all that is left."""
    told = _END_OF_WORKER.search(text)
    if told is None:
        return None
    if told["code"] is not None:
        return int(told["pid"]), int(told["code"])
    number = next((number for number in signal.valid_signals() if signal.strsignal(number) == told["signal"]), None)
    return None if number is None else (int(told["pid"]), -number)


def _noted_by_worker(error: BaseException, context: Context) -> Raised | None:
    """What a worker's background thread had to say before the worker ended or fell silent.

    That its connection broke says nothing: so it does when the probe turns away from all workers because one has died.
    """
    if context.notes_path is None:
        return None
    try:
        with open(context.notes_path, "rb") as file:
            notes = [note for note in map(json.loads, file) if "text" in note]
    except (OSError, ValueError):
        return None
    told = (Raised.of_text(error, note["text"], note["worker"]) for note in notes)
    return next((raised for raised in told if not _is_a(raised.exception, ConnectionError, EOFError)), None)


def _ended(workers: list[Any], wait_seconds: float) -> list[tuple[int, Any]]:
    deadline = time.monotonic() + wait_seconds
    while True:
        ended = [(number, worker) for number, worker in enumerate(workers) if worker.exitcode is not None]
        if ended or not workers or time.monotonic() >= deadline:
            return ended
        time.sleep(0.01)


def _shared_memory() -> dict[str, Any]:
    try:
        system = os.statvfs("/dev/shm")
    except OSError:
        return {}
    return {
        "shared_memory_size_bytes": system.f_blocks * system.f_frsize,
        "shared_memory_free_bytes": system.f_bavail * system.f_frsize,
    }


def _bounded(text: str, most: int) -> str:
    """The text within ``most`` characters: its end, where the cause stands, counts more than its beginning."""
    if len(text) <= most:
        return text
    return text[: most // 4] + "\n…\n" + text[-(most - most // 4 - 3) :]
