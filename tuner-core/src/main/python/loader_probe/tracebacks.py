"""What an exception says about where it came from, be it raised here or in a worker, where only its text arrived."""

from __future__ import annotations

import os
import re
import sysconfig
import traceback
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

_WORKER = re.compile(r"Caught (\S+) in (?:DataLoader worker process (\d+)|[^.\n]*)\.\nOriginal ")
_FRAME = re.compile(r'^ +File "(.+)", line (\d+)(?:, in (.+))?$')
_LINKS = re.compile(
    r"\n(During handling of the above exception, another exception occurred"
    r"|The above exception was the direct cause of the following exception):\n"
)
OWN_FOLDER = os.path.dirname(os.path.abspath(__file__)) + os.sep
_STDLIB = tuple({sysconfig.get_path(name) + os.sep for name in ("stdlib", "platstdlib")})


@dataclass(frozen=True)
class Frame:
    """One line of a traceback; ``code`` is the source text, empty where it is not known."""

    file: str
    line: int
    function: str
    code: str = ""

    def within(self, *parts: str) -> bool:
        return self.file.replace(os.sep, "/").endswith(parts)


class Cause(NamedTuple):
    """The message of an exception that led to another; ``stated`` where code said so, by ``raise … from``."""

    message: str
    stated: bool


@dataclass(frozen=True)
class Raised:
    """An exception taken apart. ``message`` reads ``Type: text``; ``worker`` is None outside a worker.

    ``causes`` are those that led to it, the nearest first, where only its text arrived.
    """

    exception: str
    message: str
    traceback: str
    frames: list[Frame]
    worker: int | None
    error: BaseException
    causes: tuple[Cause, ...] = ()

    @classmethod
    def of(cls, error: BaseException) -> Raised:
        text = _text_of(error)
        match = _WORKER.search(text)
        if match is not None:
            return cls.of_text(error, text[match.end() :], int(match.group(2) or -1))
        frames = [
            Frame(entry.filename, entry.lineno or 0, entry.name, entry.line or "")
            for entry in traceback.extract_tb(error.__traceback__)
        ]
        full = "".join(traceback.format_exception(type(error), error, error.__traceback__))
        name = _type_name(error)
        return cls(name, f"{name}: {text}" if text else name, full, frames, None, error)

    @classmethod
    def of_text(cls, error: BaseException, original: str, worker: int) -> Raised:
        """From a traceback's text; ``error`` is what was raised here because of it, ``worker`` -1 where unknown."""
        *earlier, last = _LINKS.split(original)
        frames, message = _taken_apart(last)
        exception = type_of(message) or type(error).__name__
        causes: list[Cause] = []
        stated = True
        for link, text in zip(earlier[::-2], earlier[-2::-2]):
            stated = stated and "direct cause" in link
            causes.append(Cause(_taken_apart(text)[1], stated))
        return cls(exception, message, original, frames, worker if worker >= 0 else None, error, tuple(causes))

    def user_frame(self) -> str | None:
        """The innermost frame of the user's code: not in an installed package, or, where all are, not in torch."""
        foreign = [frame for frame in self.frames if not _is_machinery(frame.file)]
        own = [frame for frame in foreign if "site-packages" not in frame.file and "dist-packages" not in frame.file]
        for frame in reversed(own or foreign):
            return f"{os.path.basename(frame.file)}:{frame.line} in {frame.function}"
        return None

    def in_collate(self) -> bool:
        """Whether the samples were all there and putting them together failed."""
        for frame, inner in zip(self.frames, [*self.frames[1:], None]):
            if frame.within("torch/utils/data/_utils/fetch.py") and frame.function == "fetch":
                return "collate_fn(" in frame.code or (
                    inner is not None and inner.within("torch/utils/data/_utils/collate.py")
                )
        return False

    def in_loader_start(self) -> bool:
        """Whether torch refused to build the loader or its iterator."""
        if not self.frames:
            return False
        last = self.frames[-1]
        return last.within("torch/utils/data/dataloader.py") and last.function in (
            "__init__",
            "__setattr__",
            "multiprocessing_context",
        )

    def in_pickling(self) -> bool:
        return self._passes("multiprocessing/reduction.py", "multiprocessing/queues.py", function="dump")

    def in_process_start(self) -> bool:
        return self._passes(
            "multiprocessing/popen_fork.py", "multiprocessing/process.py", "threading.py", "subprocess.py"
        )

    def in_process_talk(self) -> bool:
        return self._passes(
            "multiprocessing/connection.py",
            "multiprocessing/queues.py",
            "multiprocessing/reductions.py",
            "multiprocessing/popen_spawn_posix.py",
            "multiprocessing/popen_forkserver.py",
            "multiprocessing/resource_sharer.py",
        )

    def _passes(self, *files: str, function: str | None = None) -> bool:
        return any(frame.within(*files) and function in (None, frame.function) for frame in self.frames)

    def loader_workers(self) -> Iterable[Any]:
        """The workers of a loader whose iterator could not be made, found in the frames of the exception."""
        tb = self.error.__traceback__
        while tb is not None:
            workers = getattr(tb.tb_frame.f_locals.get("self"), "_workers", None)
            if isinstance(workers, list):
                return workers
            tb = tb.tb_next
        return []


def type_of(message: str) -> str:
    """The type of an exception by its message, as a traceback ends with it; empty where it has none."""
    name = re.match(r"[\w.]*", message)
    return name.group() if name else ""


def _taken_apart(text: str) -> tuple[list[Frame], str]:
    """The frames of one link of a traceback, and its message."""
    frames: list[Frame] = []
    lines = text.strip("\n").split("\n")
    begin = len(lines)
    for position, line in enumerate(lines):
        match = _FRAME.match(line)
        if match:
            frames.append(Frame(match.group(1), int(match.group(2)), match.group(3) or ""))
        elif line.startswith("    ") and frames and not frames[-1].code:
            frames[-1] = Frame(frames[-1].file, frames[-1].line, frames[-1].function, line.strip())
        elif line and not line.startswith((" ", "Traceback (most recent")):
            begin = position
            break
    return frames, "\n".join(lines[begin:]).strip()


def _text_of(error: BaseException) -> str:
    try:
        text = str(error)
    except Exception:
        text = f"<{type(error).__name__} whose text cannot be had>"
    if "\nOriginal " not in text:
        # Some exceptions keep what torch hands them and show something else.
        for value in (getattr(error, "message", None), *getattr(error, "args", ())):
            if isinstance(value, str) and "\nOriginal " in value:
                return value
    return text


def _type_name(error: BaseException) -> str:
    module, name = type(error).__module__, type(error).__qualname__
    return name if module in ("builtins", "__main__") else f"{module}.{name}"


def _is_machinery(file: str) -> bool:
    path = file.replace(os.sep, "/")
    if file.startswith(("<", OWN_FOLDER)) or ("/torch/" in path and "-packages/torch/" in path):
        return True
    return file.startswith(_STDLIB) and "-packages" not in path
