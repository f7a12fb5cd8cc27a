"""The two commands of a benchmark that measures: one writes a result, the other prints the figures of results."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any


def add(parser: argparse.ArgumentParser) -> tuple[argparse.ArgumentParser, argparse.ArgumentParser]:
    """``measure CACHE RESULT`` and ``report RESULT …``, to which a benchmark adds options of its own."""
    commands = parser.add_subparsers(dest="command", required=True)
    run = commands.add_parser("measure", help="measure and write what was seen as JSON")
    run.add_argument("cache", type=Path, help="folder of the data sets, which are made where they are missing")
    run.add_argument("result", type=Path)
    run.add_argument("--seed", type=int, default=1)
    show = commands.add_parser("report", help="print the figures of results")
    show.add_argument("results", type=Path, nargs="+")
    return run, show


def results(
    arguments: argparse.Namespace, measure: Callable[[argparse.Namespace], dict[str, Any]]
) -> list[dict[str, Any]]:
    """The one result that was measured now, or those that were written earlier."""
    if arguments.command == "report":
        return [json.loads(file.read_text(encoding="utf-8")) for file in arguments.results]
    result = json.loads(json.dumps(measure(arguments)), parse_float=_rounded)
    arguments.result.write_text(json.dumps(result, separators=(",", ":")) + "\n", encoding="utf-8")
    return [result]


def _rounded(text: str) -> float:
    """Six digits say all that was measured."""
    return float(f"{float(text):.6g}")
