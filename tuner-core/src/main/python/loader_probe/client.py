"""Speaks to a supervisor as the tuner does. For checks run by hand and for tests; the tuner itself is no Python."""

from __future__ import annotations

import contextlib
import json
import queue
import subprocess
import sys
import threading
import time
from typing import Any

from loader_probe.launch import command
from loader_probe.protocol import encode


class Client:
    """One supervisor with its probe. ``lines`` keeps everything it said."""

    def __init__(
        self,
        folder: str,
        role: str,
        log: Any = None,
        interpreter: str = sys.executable,
        patience_seconds: float | None = None,
        **popen: Any,
    ) -> None:
        """Waits for a nursery in the folder for so long; ``None`` asks none."""
        asked = ["supervisor", folder, role]
        if patience_seconds is not None:
            asked = ["launch", folder, role, str(patience_seconds)]
        self.process = subprocess.Popen(
            command(*asked, interpreter=interpreter),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log,
            **popen,
        )
        self.lines: list[dict[str, Any]] = []
        self._arrived: queue.Queue[bytes] = queue.Queue()
        self._identity = 0
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._arrived.put(line)
        self._arrived.put(b"")

    def send(self, command: str, **fields: Any) -> int:
        """Sends a request and returns its id."""
        assert self.process.stdin is not None
        self._identity += 1
        self.process.stdin.write(encode({"id": self._identity, "command": command, **fields}))
        self.process.stdin.flush()
        return self._identity

    def next_line(self, timeout: float = 60.0) -> dict[str, Any] | None:
        """The next line, None at the end. ``TimeoutError`` after that many seconds."""
        try:
            line = self._arrived.get(timeout=timeout)
        except queue.Empty:
            raise TimeoutError(f"the supervisor said nothing for {timeout} s; so far: {self.lines[-3:]}") from None
        if not line:
            return None
        self.lines.append(json.loads(line))
        return self.lines[-1]

    def until(self, identity: int | None, *keys: str, timeout: float = 60.0) -> dict[str, Any]:
        """The next line about a request that holds one of the keys."""
        deadline = time.monotonic() + timeout
        while True:
            line = self.next_line(max(0.1, deadline - time.monotonic()))
            if line is None:
                raise EOFError(f"the supervisor ended; its last lines: {self.lines[-3:]}")
            if line.get("id") == identity and any(key in line for key in keys):
                return line

    def ask(self, command: str, timeout: float = 60.0, **fields: Any) -> dict[str, Any]:
        """Sends a request and returns its answer."""
        return self.until(self.send(command, **fields), "result", "error", timeout=timeout)

    def round(self, config: dict[str, Any], plan: dict[str, Any], with_step: bool = True) -> dict[str, Any]:
        """Runs a round to its end and returns its result or error."""
        identity = self.send("round", config=config, plan=plan, with_step=with_step, seed=7)
        answer = self.until(identity, "result", "error")
        if "result" in answer:
            closed = self.until(identity, "event")
            answer["shutdown_seconds"] = closed["shutdown_seconds"]
        return answer

    def stop(self) -> dict[str, Any]:
        """Ends everything and returns the last line."""
        self.send("stop")
        return self.until(None, "event")

    def close(self) -> None:
        """Ends the supervisor as the death of the tuner does."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.close()
        self.process.wait(10)
        self._reader.join(10)
        self.process.stdout.close()
