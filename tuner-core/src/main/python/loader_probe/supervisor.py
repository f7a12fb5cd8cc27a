"""The process that the tuner starts: relays lines, answers some requests itself, and ends everything below it.

It runs no user code, imports no torch and blocks on nothing but its own ``poll``, so nothing below can hang it.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from typing import Any

from loader_probe import unpacked
from loader_probe.cgroups import oom_kills
from loader_probe.launch import command
from loader_probe.processes import (
    ProcessStat,
    become_subreaper,
    descendants,
    end,
    is_alive,
    read_stat,
    signal_name,
)
from loader_probe.protocol import encode
from loader_probe.remains import tell
from loader_probe.stacks import StackCollector
from loader_probe.tidying import MARK, Tidying, Workplace, as_json, sweep

ROLES = ("warm", "inline")
# What the dataset starts meanwhile is its own.
_STARTS_NO_WORKERS = ("open", "check", "step_alone")

_CHUNK = 64 * 1024
_MAX_ANSWER_BUFFER = 1024 * 1024
_MAX_REQUEST_BUFFER = 8 * 1024 * 1024
# The worst case of an end is the sum of these three; the tuner waits for a little longer.
_GRACE_SECONDS = 1.0
_KILL_SECONDS = 4.0
_FLUSH_SECONDS = 1.0


@dataclass(frozen=True)
class ForkedProbe:
    """A probe that was forked by the nursery, as a child of what is the supervisor now."""

    pid: int
    workplace: Workplace
    request_fd: int
    answer_fd: int

    @classmethod
    def of(cls, pid: str, folder: str, request_fd: str, answer_fd: str, owner_fd: str) -> ForkedProbe:
        return cls(int(pid), Workplace(folder, int(owner_fd)), int(request_fd), int(answer_fd))


class Supervisor:
    """Owns the probe. All its descriptors are non-blocking and all its buffers bounded."""

    def __init__(self, role: str, tuner: int, forked: ForkedProbe | None = None) -> None:
        self._role = role
        self._tuner = read_stat(tuner)
        self._forked = forked
        self._input = b""
        self._to_probe = bytearray()
        self._to_tuner = bytearray()
        self._at_line_start = True
        self._held_lines: list[bytes] = []
        self._tuner_gone = False
        self._stopping = False
        self._wait_status: int | None = None
        self._collector: StackCollector | None = None
        self._collector_id: Any = None
        self._queued_stacks: list[Any] = []

    def run(self) -> None:
        """Starts the probe and serves until it ends, the tuner says ``stop``, or the tuner is gone."""
        become_subreaper()
        self._wake_fd = self._wake_on_signals()
        # Asking whether a file is held may be answered by this signal, which would end the process.
        signal.signal(signal.SIGIO, lambda *_: None)
        sweep()
        self._oom_kills_before = oom_kills()
        left: list[dict[str, Any]] = []
        self._workplace = Workplace.make() if self._forked is None else self._forked.workplace
        try:
            if self._forked is None:
                self._start_probe()
            else:
                self._probe = self._forked.pid
                self._request_fd, self._answer_fd = self._forked.request_fd, self._forked.answer_fd
            # What was started as the supervisor may only stand for this process.
            self._say({"event": "started", "pid": os.getpid()})
            self._tidying = Tidying(self._probe, self._role == "inline", self._workplace.remains())
            for fd in (0, 1, self._request_fd, self._answer_fd):
                os.set_blocking(fd, False)
            while not (self._stopping or self._tuner_gone or self._wait_status is not None):
                self._turn()
            survivors, left = self._end_everything()
            if not self._tuner_gone:
                self._say_goodbye(survivors, left)
        finally:
            # What is left is for the next supervisor to end, which finds it by this folder.
            if not left:
                self._workplace.remove()
            # Not when only what stood for this process, or this process alone, was ended: others import from there.
            if self._tuner is None or not is_alive(self._tuner):
                unpacked.remove(sys.path[0])

    def _wake_on_signals(self) -> int:
        reader, writer = os.pipe()
        os.set_blocking(reader, False)
        os.set_blocking(writer, False)
        signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        # A Ctrl-C in a terminal reaches the tuner too, which decides what becomes of the probe.
        signal.signal(signal.SIGINT, lambda *_: None)
        for number in (signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self._on_termination)
        return reader

    def _on_termination(self, *_: Any) -> None:
        self._tuner_gone = True

    def _start_probe(self) -> None:
        request_reader, self._request_fd = os.pipe()
        self._answer_fd, answer_writer = os.pipe()
        process = subprocess.Popen(
            command(
                "probe",
                sys.path[0],
                self._role,
                str(request_reader),
                str(answer_writer),
                str(os.getpid()),
                self._workplace.folder,
            ),
            env={**os.environ, MARK: self._workplace.mark},
            stdin=subprocess.DEVNULL,
            stdout=sys.stderr.fileno(),
            start_new_session=True,
            pass_fds=(request_reader, answer_writer),
        )
        self._probe = process.pid
        # Children are waited for here, all of them, adopted ones too; Popen must not wait as well.
        process.returncode = 0
        os.close(request_reader)
        os.close(answer_writer)

    def _turn(self) -> None:
        """Waits for something to happen and handles it."""
        poller = select.poll()
        poller.register(0, select.POLLIN)
        poller.register(1, select.POLLOUT if self._to_tuner else 0)
        poller.register(self._wake_fd, select.POLLIN)
        if self._answer_fd >= 0 and len(self._to_tuner) < _MAX_ANSWER_BUFFER:
            poller.register(self._answer_fd, select.POLLIN)
        if self._to_probe:
            poller.register(self._request_fd, select.POLLOUT)
        ready = dict(poller.poll(5 if self._collector else None))
        if self._wake_fd in ready:
            _read(self._wake_fd)
        if 0 in ready:
            self._read_requests()
        if self._answer_fd in ready:
            self._read_answers()
        if self._request_fd in ready:
            self._write_requests()
        if 1 in ready:
            self._write_answers(broken=bool(ready[1] & select.POLLERR))
        self._collect_stacks()
        self._reap()

    def _read_requests(self) -> None:
        chunk = _read(0)
        if chunk is None:
            return
        if not chunk:
            self._tuner_gone = True
            return
        *lines, self._input = (self._input + chunk).split(b"\n")
        for line in lines:
            self._take_request(line)
        if len(self._input) > _MAX_REQUEST_BUFFER:
            self._input = b""
            self._refuse(None, f"a request is longer than {_MAX_REQUEST_BUFFER} bytes")

    def _take_request(self, line: bytes) -> None:
        if not line.strip() or self._stopping:
            return
        try:
            request = json.loads(line)
            command, identity = request["command"], request["id"]
        except (ValueError, KeyError, TypeError):
            self._refuse(None, "a request is a JSON object with id and command, on one line")
            return
        if command == "stop":
            self._stopping = True
        elif command == "stacks":
            self._queued_stacks.append(identity)
        elif command == "tidy":
            self._say({"id": identity, "result": self._tidying.tidy()})
        elif len(self._to_probe) + len(line) > _MAX_REQUEST_BUFFER:
            self._refuse(identity, "the probe does not read its requests")
        else:
            if command not in _STARTS_NO_WORKERS:
                self._tidying.note_standing()
            self._to_probe += line + b"\n"
            self._write_requests()

    def _refuse(self, identity: Any, message: str) -> None:
        error = {"reason": "runner_error", "message": message, "exception": None, "traceback": None, "frame": None}
        self._say({"id": identity, "error": {**error, "details": {}}})

    def _write_requests(self) -> None:
        try:
            del self._to_probe[: os.write(self._request_fd, self._to_probe)]
        except BlockingIOError:
            pass
        except OSError:
            # The probe closed its end: it is dying, which is noticed by other means.
            self._to_probe.clear()

    def _read_answers(self) -> None:
        chunk = _read(self._answer_fd)
        if chunk:
            self._relay(chunk)
        elif chunk is not None:
            os.close(self._answer_fd)
            self._answer_fd = -1

    def _relay(self, chunk: bytes) -> None:
        """Passes on what the probe said; the supervisor's own lines wait for the end of a line."""
        if self._held_lines and b"\n" in chunk:
            head, _, chunk = chunk.partition(b"\n")
            self._to_tuner += head + b"\n" + b"".join(self._held_lines)
            self._held_lines.clear()
            self._at_line_start = True
        if chunk:
            self._to_tuner += chunk
            self._at_line_start = chunk.endswith(b"\n")
        self._write_answers()

    def _say(self, message: dict[str, Any]) -> None:
        if self._at_line_start:
            self._to_tuner += encode(message)
            self._write_answers()
        else:
            self._held_lines.append(encode(message))

    def _write_answers(self, broken: bool = False) -> None:
        try:
            if broken:
                raise BrokenPipeError
            while self._to_tuner:
                del self._to_tuner[: os.write(1, memoryview(self._to_tuner)[:_CHUNK].tobytes())]
        except BlockingIOError:
            pass
        except OSError:
            self._to_tuner.clear()
            self._tuner_gone = True

    def _collect_stacks(self) -> None:
        if self._collector is None and self._queued_stacks:
            self._collector_id = self._queued_stacks.pop(0)
            self._collector = StackCollector(self._probe, stack_file(self._workplace.folder))
        if self._collector is not None:
            processes = self._collector.advance()
            if processes is not None:
                self._say({"id": self._collector_id, "result": {"processes": processes}})
                self._collector = None

    def _reap(self) -> None:
        """Waits for every child that has ended, adopted orphans too."""
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if pid == 0:
                return
            if pid == self._probe:
                self._wait_status = status

    def _end_everything(self) -> tuple[int, list[dict[str, Any]]]:
        """Ends the probe and all below it, and removes what they leave in shared memory.

        How many other processes outlived the gentle part and were killed, and what is left all the same.
        """
        if self._stopping and not self._tuner_gone:
            self._signal_everything(signal.SIGTERM)
            self._await_end(_GRACE_SECONDS)
        elif self._wait_status is not None and not self._tuner_gone:
            # Workers die by their parent-death signal, which takes a moment: those need no killing.
            self._await_end(0.1)
        survivors = {stat.pid for stat in self._living()} - {self._probe}
        self._signal_everything(signal.SIGKILL)
        living = end(self._living, grace_seconds=0.0, kill_seconds=_KILL_SECONDS)
        self._reap()
        gone, kept = self._workplace.remains().remove()
        for name in gone:
            tell(f"removed /dev/shm/{name}, which the loading processes had left")
        left = [as_json(stat) for stat in living] + [{"file": f"/dev/shm/{name}"} for name in kept]
        return len(survivors), left

    def _living(self) -> list[ProcessStat]:
        self._reap()
        return [stat for stat in descendants(os.getpid()) if stat.alive]

    def _await_end(self, seconds: float) -> None:
        """Waits until nothing is left below, the time is over, or the tuner is gone."""
        deadline = time.monotonic() + seconds
        poller = select.poll()
        poller.register(0, select.POLLIN)
        while time.monotonic() < deadline and not self._tuner_gone:
            self._reap()
            if self._wait_status is not None and not self._living():
                return
            if poller.poll(10) and not _read(0):
                self._tuner_gone = True

    def _signal_everything(self, number: int) -> None:
        """The probe's whole group, and what left it for a session of its own."""
        # Once the probe was waited for, its number may belong to somebody else.
        if self._wait_status is None:
            with contextlib.suppress(OSError):
                os.killpg(self._probe, number)
        for stat in self._living():
            with contextlib.suppress(OSError):
                if os.getpgid(stat.pid) != self._probe:
                    os.kill(stat.pid, number)

    def _say_goodbye(self, survivors: int, left: list[dict[str, Any]]) -> None:
        """Relays what the probe still said, then the last line, without waiting for ever on anybody."""
        deadline = time.monotonic() + _FLUSH_SECONDS
        while self._answer_fd >= 0 and time.monotonic() < deadline:
            chunk = _read(self._answer_fd)
            if not chunk:
                break
            self._relay(chunk)
            self._flush(deadline, below=_MAX_ANSWER_BUFFER)
        if not self._at_line_start:
            self._to_tuner += b"\n"
        for line in self._held_lines:
            self._to_tuner += line
        kills, before = oom_kills(), self._oom_kills_before
        told = {"oom_kills": None if kills is None or before is None else kills - before, "left": left}
        self._to_tuner += encode({"event": "exited", **_how(self._wait_status), "survivors": survivors, **told})
        self._flush(deadline)

    def _flush(self, deadline: float, below: int = 1) -> None:
        poller = select.poll()
        poller.register(1, select.POLLOUT)
        self._write_answers()
        while len(self._to_tuner) >= below and time.monotonic() < deadline:
            poller.poll(50)
            self._write_answers()


def stack_file(work: str) -> str:
    """Where the processes below write their stacks."""
    return os.path.join(work, "stacks")


def _read(fd: int) -> bytes | None:
    """What there is to read: nothing at its end, None where there is nothing yet."""
    try:
        return os.read(fd, _CHUNK)
    except BlockingIOError:
        return None
    except OSError:
        return b""


def _how(wait_status: int | None) -> dict[str, Any]:
    if wait_status is None:
        return {"exit_code": None, "signal": None}
    if os.WIFSIGNALED(wait_status):
        return {"exit_code": None, "signal": signal_name(os.WTERMSIG(wait_status))}
    return {"exit_code": os.WEXITSTATUS(wait_status), "signal": None}


def main() -> None:
    """Entry point: ``sys.argv`` holds the role, ``warm`` or ``inline``, and what the nursery adds where it forked."""
    role = sys.argv[1] if len(sys.argv) > 1 else "warm"
    if role not in ROLES:
        sys.exit(f"the role of a probe is one of {', '.join(ROLES)}, not {role!r}")
    if len(sys.argv) > 2:
        Supervisor(role, int(sys.argv[2]), ForkedProbe.of(*sys.argv[3:8])).run()
    else:
        Supervisor(role, os.getppid()).run()
