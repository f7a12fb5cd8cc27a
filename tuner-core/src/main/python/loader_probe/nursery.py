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
from collections.abc import Iterable
from typing import NoReturn

import loader_probe
from loader_probe import probe, usage
from loader_probe.launch import ASKED, SUPERVISE, TAKEN, address
from loader_probe.processes import become_subreaper
from loader_probe.tidying import MARK, MARK_LENGTH, Workplace

_SECONDS_FOR_A_WORD = 10.0
_MOST_BYTES = 4096


def main() -> None:
    """Entry point. Standard input is a pipe whose end is this process's end, whatever it is doing then."""
    folder = sys.path[0]
    if len(os.environ.get(MARK, "")) != MARK_LENGTH:
        sys.exit(f"{MARK} must hold {MARK_LENGTH} characters, for the mark of each probe to be written over")
    # SIGIO ends a process that has no handler for it, even one that hangs while it imports.
    fcntl.fcntl(0, fcntl.F_SETOWN, os.getpid())
    fcntl.fcntl(0, fcntl.F_SETFL, fcntl.fcntl(0, fcntl.F_GETFL) | os.O_ASYNC)
    # A Ctrl-C in a terminal reaches the tuner too, which decides what becomes of its processes.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    usable_cpus = len(os.sched_getaffinity(0))
    listener = socket.socket(socket.AF_UNIX)
    with address(folder) as path:
        listener.bind(path)
    listener.listen()
    os.write(1, b"listening\n")
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
    while True:
        connection, _ = listener.accept()
        with connection:
            asked = _take(connection)
        if asked is not None:
            _fork(listener, folder, usable_cpus, *asked)


def _import_everything() -> None:
    """torch, numpy where there is one, and this package, which imports nothing else."""
    for module in pkgutil.iter_modules(loader_probe.__path__):
        if module.name != "cuda_check":
            importlib.import_module(f"loader_probe.{module.name}")


def _take(connection: socket.socket) -> tuple[str, str, list[int]] | None:
    """The role that is asked for, the tuner and the descriptors; None where the one who asked is gone."""
    connection.settimeout(_SECONDS_FOR_A_WORD)
    descriptors: list[int] = []
    try:
        asked, descriptors, _, _ = socket.recv_fds(connection, _MOST_BYTES, 4)
        connection.sendall(ASKED)
        if len(descriptors) == 4 and connection.recv(1) == TAKEN:
            role, tuner = asked.decode().split()
            return role, tuner, descriptors
    except OSError:
        pass
    for descriptor in descriptors:
        os.close(descriptor)
    return None


def _fork(
    listener: socket.socket, folder: str, usable_cpus: int, role: str, tuner: str, descriptors: list[int]
) -> None:
    nursery = os.getpid()
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
        _become_supervisor(folder, nursery, usable_cpus, role, tuner, descriptors[3])
    except BaseException:
        traceback.print_exc()
        sys.stderr.flush()
    finally:
        # The loop of the nursery is not this process's to go on with.
        os._exit(70)


def _become_supervisor(folder: str, nursery: int, usable_cpus: int, role: str, tuner: str, until: int) -> None:
    """Forks the probe, then becomes a supervisor, which imports no torch: what it adopts is its child already."""
    become_subreaper()
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    supervisor = os.getpid()
    workplace = Workplace()
    request_reader, request_writer = os.pipe()
    answer_reader, answer_writer = os.pipe()
    inherited = (request_writer, answer_reader, workplace.owner, until)
    pid = os.fork()
    if pid == 0:
        pipes = (request_reader, answer_writer)
        _become_probe(workplace, nursery, usable_cpus, role, pipes, supervisor, inherited)
    for descriptor in inherited:
        os.set_inheritable(descriptor, True)
    arguments = [folder, role, tuner, str(pid), workplace.folder, *map(str, inherited[:3])]
    os.execv(sys.executable, [sys.executable, "-B", "-c", SUPERVISE, *arguments])


def _become_probe(
    workplace: Workplace,
    nursery: int,
    usable_cpus: int,
    role: str,
    pipes: tuple[int, int],
    supervisor: int,
    not_its_own: Iterable[int],
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
    for descriptor in not_its_own:
        os.close(descriptor)
    _bear(workplace.mark)
    usage.count_in(nursery)
    probe.serve(role, *pipes, supervisor, workplace.folder, usable_cpus)


def _bear(mark: str) -> None:
    """Marks this process, and what it will fork, in the environment that ``/proc`` shows; programs get it as well."""
    getenv = ctypes.CDLL(None).getenv
    getenv.restype = ctypes.c_void_p
    ctypes.memmove(getenv(MARK.encode()), mark.encode(), MARK_LENGTH)
    os.environ[MARK] = mark
