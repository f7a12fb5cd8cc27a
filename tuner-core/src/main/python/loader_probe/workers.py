"""What the probe needs of every process below it: that it dies with its parent and can show its stacks."""

from __future__ import annotations

import os
import sys
import threading
from dataclasses import dataclass

from loader_probe import stacks
from loader_probe.processes import die_with_parent

_forking = threading.local()


def watch_forks() -> None:
    """Has every forked child die with the probe, through ``os.register_at_fork``."""
    os.register_at_fork(before=_before_fork, after_in_child=_after_fork_in_child)


def _before_fork() -> None:
    # The kernel ties a parent-death signal to the thread that forked. A child that a short-lived thread of the user's
    # starts must not die with that thread; the supervisor still finds and ends it.
    _forking.parent = os.getpid() if threading.current_thread() is threading.main_thread() else None


def _after_fork_in_child() -> None:
    parent = getattr(_forking, "parent", None)
    if parent is not None:
        die_with_parent(parent)


@dataclass(frozen=True)
class WorkerStart:
    """The ``worker_init_fn`` of every loader; pickled to workers that are spawned."""

    stack_path: str

    def __call__(self, worker_id: int) -> None:
        die_with_parent(os.getppid())
        stacks.install(self.stack_path)
        reconfigure = getattr(sys.stdout, "reconfigure", None)
        if reconfigure is not None:
            # A worker may be killed: what it printed must be in the log by then.
            reconfigure(line_buffering=True)
