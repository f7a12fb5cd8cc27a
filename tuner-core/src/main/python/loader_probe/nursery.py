"""A process that has imported torch, from which the probes of a session are forked: importing it takes seconds of CPU.

It runs no user code, so what a probe inherits is what ``import torch`` leaves. Whoever wants a probe connects to the
socket in the package's folder (:mod:`loader_probe.launch`) and hands over the descriptors of its supervisor to be.
"""

from __future__ import annotations

import ctypes
import fcntl
import importlib
import os
import pkgutil
import signal
import socket
import sys
import threading
import traceback
from dataclasses import dataclass
from typing import NoReturn

import loader_probe
from loader_probe import probe, usage
from loader_probe.launch import ACCEPTED, OFFERED, address, command
from loader_probe.tidying import MARK, MARK_LENGTH, Workplace

_SECONDS_FOR_A_WORD = 10.0
_MOST_BYTES = 4096


@dataclass(frozen=True)
class Origin:
    """What a forked process knows of where it comes from. ``usable_cpus`` are those of before torch was imported."""

    nursery_pid: int
    tuner_pid: int
    usable_cpus: int


def main() -> None:
    """Entry point. Standard input is a pipe whose end is this process's end, whatever it is doing then.

    Standard output gets a line when there is a socket, and one when a probe that is asked for is forked at once.
    """
    if len(os.environ.get(MARK, "")) != MARK_LENGTH:
        sys.exit(f"{MARK} must hold {MARK_LENGTH} characters, for the mark of each probe to be written over")
    # SIGIO ends a process that has no handler for it, even one that hangs while it imports.
    fcntl.fcntl(0, fcntl.F_SETOWN, os.getpid())
    fcntl.fcntl(0, fcntl.F_SETFL, fcntl.fcntl(0, fcntl.F_GETFL) | os.O_ASYNC)
    # A Ctrl-C in a terminal reaches the tuner too, which decides what becomes of its processes.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    origin = Origin(os.getpid(), os.getppid(), len(os.sched_getaffinity(0)))
    listener = socket.socket(socket.AF_UNIX)
    with address(sys.path[0]) as path:
        listener.bind(path)
    listener.listen()
    tuner = os.dup(1)
    os.write(tuner, b"listening\n")
    # What the import prints belongs into the log.
    os.dup2(2, 1)
    try:
        _import_everything()
    except Exception:
        # The probe that imports for itself says why that is not possible.
        os._exit(1)
    if threading.active_count() > 1:
        os.write(2, b"loader-tuner: what is imported with torch has started threads, so probes import for themselves\n")
        # Not waiting for those threads, as an exit does.
        os._exit(1)
    # Supervisors are nobody's to wait for.
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    os.write(tuner, b"ready\n")
    os.close(tuner)
    while True:
        connection, _ = listener.accept()
        with connection:
            asked = _take(connection)
        if asked is not None:
            _fork(listener, origin, *asked)


def _import_everything() -> None:
    """torch, numpy where there is one, and this package, which imports nothing else."""
    for module in pkgutil.iter_modules(loader_probe.__path__):
        importlib.import_module(f"loader_probe.{module.name}")


def _take(connection: socket.socket) -> tuple[str, list[int]] | None:
    """The role that is asked for and the descriptors; None where the one who asked is gone."""
    connection.settimeout(_SECONDS_FOR_A_WORD)
    descriptors: list[int] = []
    try:
        role, descriptors, _, _ = socket.recv_fds(connection, _MOST_BYTES, 4)
        connection.sendall(OFFERED)
        if len(descriptors) == 4 and connection.recv(1) == ACCEPTED:
            return role.decode(), descriptors
    except OSError:
        pass
    for descriptor in descriptors:
        os.close(descriptor)
    return None


def _fork(listener: socket.socket, origin: Origin, role: str, descriptors: list[int]) -> None:
    try:
        pid = os.fork()
    except OSError as error:
        os.write(descriptors[2], f"loader-tuner: no process can be forked: {error}\n".encode())
        pid = -1
    if pid != 0:
        for descriptor in descriptors:
            os.close(descriptor)
        return
    try:
        listener.close()
        for number, descriptor in enumerate(descriptors[:3]):
            os.dup2(descriptor, number)
            os.close(descriptor)
        _become_supervisor(origin, role, descriptors[3])
    except BaseException:
        traceback.print_exc()
        sys.stderr.flush()
    finally:
        # The loop of the nursery is not this process's to go on with.
        os._exit(70)


def _become_supervisor(origin: Origin, role: str, lifeline: int) -> None:
    """Forks the probe, then becomes its supervisor, which imports no torch.

    ``lifeline`` is closed by the supervisor's end alone, which tells whoever stands for it.
    """
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    supervisor = os.getpid()
    workplace = Workplace.make()
    request_reader, request_writer = os.pipe()
    answer_reader, answer_writer = os.pipe()
    of_supervisor = (request_writer, answer_reader, workplace.owner, lifeline)
    pid = os.fork()
    if pid == 0:
        for descriptor in of_supervisor:
            os.close(descriptor)
        _become_probe(workplace, origin, role, request_reader, answer_writer, supervisor)
    for descriptor in of_supervisor:
        os.set_inheritable(descriptor, True)
    descriptors = map(str, of_supervisor[:3])
    arguments = [role, str(origin.tuner_pid), str(pid), workplace.folder, *descriptors]
    os.execv(sys.executable, command("supervisor", sys.path[0], *arguments))


def _become_probe(
    workplace: Workplace, origin: Origin, role: str, request_fd: int, answer_fd: int, supervisor: int
) -> NoReturn:
    os.setsid()
    signal.signal(signal.SIGINT, signal.default_int_handler)
    # As after the exec of a supervisor, which handles them, whatever the tuner ignores.
    for number in (signal.SIGHUP, signal.SIGTERM, signal.SIGIO):
        signal.signal(number, signal.SIG_DFL)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    _bear(workplace.mark)
    usage.forked_from(origin.nursery_pid)
    probe.serve(role, request_fd, answer_fd, supervisor, workplace.folder, origin.usable_cpus)


def _bear(mark: str) -> None:
    """Marks this process, and what it will fork, in the environment that ``/proc`` shows; programs get it as well."""
    getenv = ctypes.CDLL(None).getenv
    getenv.restype = ctypes.c_void_p
    ctypes.memmove(getenv(MARK.encode()), mark.encode(), MARK_LENGTH)
    os.environ[MARK] = mark
