"""What the probe needs of every process below it: that it dies with its parent and can show its stacks."""

from __future__ import annotations

import contextlib
import json
import os
import sys
import threading
import traceback
from dataclasses import dataclass
from typing import Any

from loader_probe import failing_sample, stacks
from loader_probe.processes import die_with_parent
from loader_probe.remains import mark_names, note_process

_forking = threading.local()

# An append of less than a page is not torn apart by other processes' appends.
_MAX_NOTE = 2048


def watch_forks(noted: int) -> None:
    """Has every forked child die with the probe and note its number, through ``os.register_at_fork``."""
    os.register_at_fork(before=_before_fork, after_in_child=lambda: _after_fork_in_child(noted))


def _before_fork() -> None:
    # The kernel ties a parent-death signal to the thread that forked. A child that a short-lived thread of the user's
    # starts must not die with that thread; the supervisor still finds and ends it.
    _forking.parent = os.getpid() if threading.current_thread() is threading.main_thread() else None


def _after_fork_in_child(noted: int) -> None:
    note_process(noted)
    parent = getattr(_forking, "parent", None)
    if parent is not None:
        die_with_parent(parent)


def _show_users_dataset() -> None:
    """Has the user's code find its own object in the worker's info, as in training, not what stands in for it."""
    from torch.utils.data import get_worker_info

    info = get_worker_info()
    users = getattr(info.dataset, "stands_in_for", None)
    if users is not None:
        # torch forbids plain assignment.
        object.__setattr__(info, "dataset", users)


@dataclass(frozen=True)
class WorkerStart:
    """The ``worker_init_fn`` of every loader; pickled to workers that are spawned. ``users`` is the user's own."""

    stack_path: str
    notes_path: str
    processes_path: str
    mark: str
    users: Any = None

    def __call__(self, worker_id: int) -> None:
        die_with_parent(os.getppid())
        # One that was forked has done so; one that was spawned has not.
        noted = os.open(self.processes_path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        note_process(noted)
        os.close(noted)
        mark_names(self.mark)
        stacks.install(self.stack_path)
        # Opened now: there may be no descriptor left when something has to be noted.
        notes = os.open(self.notes_path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        self._watch_background_threads(worker_id, notes, sys._getframe(1).f_locals.get("data_queue"))
        reconfigure = getattr(sys.stdout, "reconfigure", None)
        if reconfigure is not None:
            # A worker may be killed: what it printed must be in the log by then.
            reconfigure(line_buffering=True)
        failing_sample.note_in_worker(worker_id, notes)
        if self.users is not None:
            _show_users_dataset()
            self.users(worker_id)

    def _watch_background_threads(self, worker_id: int, notes: int, data_queue: Any) -> None:
        """Has failures noted that happen in the threads which hand batches over.

        They are printed and the batch is lost, so that the loader waits for ever or fails with an error that says
        nothing about the cause. Where a batch is lost the worker ends, which the loader notices.
        """

        def note(kind: Any, error: Any, tb: Any) -> None:
            text = "".join(traceback.format_exception(kind, error, tb))
            with contextlib.suppress(OSError):
                os.write(notes, json.dumps({"worker": worker_id, "text": text[-_MAX_NOTE:]}).encode() + b"\n")
            print(text, file=sys.stderr, flush=True)

        def batch_lost(error: BaseException, batch: Any) -> None:
            note(type(error), error, error.__traceback__)
            os._exit(1)

        sys.excepthook = note
        if hasattr(data_queue, "_on_queue_feeder_error"):
            data_queue._on_queue_feeder_error = batch_lost
