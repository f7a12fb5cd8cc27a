"""The probe's end of the protocol: one JSON object per line on descriptors that no child keeps."""

from __future__ import annotations

import contextlib
import json
import math
import os
from collections.abc import Iterator
from typing import Any


def encode(message: dict[str, Any]) -> bytes:
    """One line of UTF-8. Not-a-number and infinity, which JSON lacks, become null; lone surrogates become ``?``."""
    try:
        text = json.dumps(message, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    except ValueError:
        text = json.dumps(_finite(message), ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.encode("utf-8", "replace") + b"\n"


def _finite(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_finite(item) for item in value]
    return value


class Channel:
    """Requests in, answers and events out. Used by the main thread only."""

    def __init__(self, request_fd: int, answer_fd: int) -> None:
        os.set_inheritable(request_fd, False)
        os.set_inheritable(answer_fd, False)
        self._owner = os.getpid()
        self._fds = (request_fd, answer_fd)
        self._answer_fd = answer_fd
        self._requests = open(request_fd, "rb", closefd=False)  # noqa: SIM115 - lives as long as the process
        os.register_at_fork(after_in_child=self._close_in_child)

    def _close_in_child(self) -> None:
        if self._fds and os.getpid() != self._owner:
            for fd in self._fds:
                with contextlib.suppress(OSError):
                    os.close(fd)
            self._fds = ()

    def requests(self) -> Iterator[dict[str, Any]]:
        """The requests in order, until the supervisor closes its end."""
        for line in self._requests:
            if line.strip():
                yield json.loads(line)

    def send(self, message: dict[str, Any]) -> None:
        if not self._fds:
            return
        view = memoryview(encode(message))
        while view:
            view = view[os.write(self._answer_fd, view) :]
