"""What goes over the wire is always JSON on one line."""

from __future__ import annotations

import json

from loader_probe.protocol import encode


def test_not_a_number_becomes_null() -> None:
    assert json.loads(encode({"a": float("nan"), "b": [float("inf"), 1.5], "c": {"d": (float("-inf"),)}})) == {
        "a": None,
        "b": [None, 1.5],
        "c": {"d": [None]},
    }


def test_any_text_is_one_line_of_utf8() -> None:
    line = encode({"message": "two\nlines \u2028 and a lone surrogate \udc80"})

    assert line.count(b"\n") == 1
    assert json.loads(line.decode("utf-8"))["message"].startswith("two\nlines")
