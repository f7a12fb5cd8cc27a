"""Which sample made a batch fail, and how samples that do not go together differ.

Both stand in the frames of torch's ``fetch`` when an exception leaves it. Of an exception in a worker only the text
arrives, so the worker looks for itself, right when torch wraps the exception up, and leaves a note.
"""

from __future__ import annotations

import contextlib
import json
import linecache
import operator
import os
import sys
import traceback
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from types import FrameType, TracebackType
from typing import Any

from loader_probe.tracebacks import OWN_FOLDER

_MOST_INDICES = 16
_MAX_TEXT = 60
_MAX_FORM = 200

# One append of less than a page is not torn apart by those of others.
_MAX_NOTE = 2048


@dataclass(frozen=True)
class FailingSample:
    """``text`` begins the failure's message; ``details`` hold the same for machines."""

    text: str
    details: dict[str, Any]


def read_here(dataset: Any, index: Any) -> Any:
    """One sample, read so that ``of_traceback`` finds its index should it fail."""
    possibly_batched_index = index
    return dataset[possibly_batched_index]


def of_traceback(tb: TracebackType | None) -> FailingSample | None:
    """The sample that an exception is about; None where the frames do not say."""
    walked = [(frame, line) for frame, line in traceback.walk_tb(tb)]
    for position, (frame, line) in enumerate(walked):
        if _reads_samples(frame):
            inner = [frame for frame, _ in walked[position + 1 :]]
            asked = frame.f_locals.get("possibly_batched_index")
            if "collate_fn(" in linecache.getline(frame.f_code.co_filename, line):
                return _not_going_together(asked, frame.f_locals.get("data"))
            if "dataset_iter" in linecache.getline(frame.f_code.co_filename, line):
                # The numbers asked of an iterable say only how many are wanted.
                return None
            return _not_read(asked, inner)
    return None


def note_in_worker(worker_id: int, notes: int) -> None:
    """Has this worker append to ``notes`` what it knows of a failing sample before torch turns the error into text."""
    from torch.utils.data._utils import worker

    wrapped = getattr(worker, "ExceptionWrapper", None)
    if wrapped is None:
        return

    def noting(*args: Any, **kwargs: Any) -> Any:
        with contextlib.suppress(Exception):
            found = of_traceback(sys.exc_info()[2])
            note = found and json.dumps({"worker": worker_id, "text_of_sample": found.text, "sample": found.details})
            if note and len(note) < _MAX_NOTE:
                os.write(notes, note.encode() + b"\n")
        return wrapped(*args, **kwargs)

    worker.ExceptionWrapper = noting


def of_notes(notes_path: str | None, worker_id: int | None) -> FailingSample | None:
    """What a worker noted; None where it did not."""
    if notes_path is None or worker_id is None:
        return None
    try:
        with open(notes_path, encoding="utf-8") as file:
            notes = [json.loads(line) for line in file]
    except (OSError, ValueError):
        return None
    for note in notes:
        if note.get("worker") == worker_id and "sample" in note:
            return FailingSample(note["text_of_sample"], note["sample"])
    return None


def _reads_samples(frame: FrameType) -> bool:
    code = frame.f_code
    file = code.co_filename.replace(os.sep, "/")
    return (code.co_name == "fetch" and file.endswith("torch/utils/data/_utils/fetch.py")) or code is read_here.__code__


def _not_read(asked: Any, inner: list[FrameType]) -> FailingSample | None:
    if not isinstance(asked, list):
        return None if asked is None else _one(asked)
    for frame in inner:
        if frame.f_code.co_name == "<listcomp>" and "idx" in frame.f_locals:
            return _one(frame.f_locals["idx"])
    # Python 3.12 has no frame of the comprehension: the index is what the dataset was called with.
    called = next((frame for frame in inner if not frame.f_code.co_filename.startswith(OWN_FOLDER)), None)
    if called is not None:
        for name in called.f_code.co_varnames[1 : called.f_code.co_argcount]:
            value = _comparable(called.f_locals.get(name))
            if isinstance(value, (int, str, tuple)) and value in map(_comparable, asked):
                return _one(value)
    return FailingSample(
        f"one of the samples {', '.join(map(str, asked[:_MOST_INDICES]))}", {"indices": _plain_all(asked)}
    )


def _comparable(index: Any) -> Any:
    """Numbers of all kinds as plain ones."""
    try:
        return operator.index(index)
    except TypeError:
        return index


def _one(index: Any) -> FailingSample:
    return FailingSample(f"sample {str(index)[:_MAX_TEXT]}", {"index": _plain(index)})


def _not_going_together(asked: Any, samples: Any) -> FailingSample | None:
    if not isinstance(samples, list) or not samples:
        return None
    mapped = isinstance(asked, list) and len(asked) == len(samples) and not _counts_only(asked)
    forms = [_form(sample) for sample in samples]
    # Whatever the order of their names: by these they are put together.
    usual = Counter(frozenset(form.items()) for form in forms).most_common(1)[0][0]
    odd = next((number for number, form in enumerate(forms) if form.items() != usual), None)
    if odd is None:
        return FailingSample("the samples of a batch", {"indices": _plain_all(asked)}) if mapped else None
    other = next(number for number, form in enumerate(forms) if form.items() == usual)
    path, is_odd, is_usual = (said[:_MAX_FORM] for said in _difference(forms[odd], forms[other]))
    names = (
        [f"sample {str(asked[n])[:_MAX_TEXT]}" for n in (odd, other)]
        if mapped
        else [f"number {n} of the batch" for n in (odd, other)]
    )
    where = f" at {path}" if path else ""
    text = f"{names[0]} {is_odd}{where}, but {names[1]} {is_usual}"
    key = "indices" if mapped else "positions"
    numbers = [_plain(asked[n]) for n in (odd, other)] if mapped else [odd, other]
    return FailingSample(text, {key: numbers, "path": path, "forms": [is_odd, is_usual]})


def _counts_only(asked: list[Any]) -> bool:
    """What torch asks of an iterable: as many Nones as samples are wanted."""
    return all(item is None for item in asked)


def _form(sample: Any) -> dict[str, str]:
    from loader_probe.batches import describe

    return {leaf["path"]: _said(leaf) for leaf in describe(sample)}


def _said(leaf: dict[str, Any]) -> str:
    if leaf["shape"] is None:
        return "is None" if leaf["type"] == "NoneType" else f"is of type {leaf['type']}"
    return f"is {leaf['dtype']} of shape {leaf['shape']}"


def _difference(odd: dict[str, str], usual: dict[str, str]) -> tuple[str, str, str]:
    if ("" in odd) != ("" in usual):
        return "", *(form.get("", f"has {', '.join(form)}") for form in (odd, usual))
    path = next(path for path in [*odd, *usual] if odd.get(path) != usual.get(path))
    return path, odd.get(path, "is not there"), usual.get(path, "is not there")


def _plain(index: Any) -> Any:
    if isinstance(index, (str, int)):
        return index
    convert = getattr(index, "__index__", None)
    return convert() if convert is not None else str(index)[:_MAX_TEXT]


def _plain_all(indices: Sequence[Any]) -> list[Any]:
    return [_plain(index) for index in indices[:_MOST_INDICES]]
