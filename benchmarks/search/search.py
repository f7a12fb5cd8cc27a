#!/usr/bin/env python3
"""Compares the tuner's searches with others over recorded surfaces and models, and writes docs/search.md.

    search.py run results.json [--rows a b c d e] [--only jpeg] [--seeds 200] [--model-seeds 200] [--ours]
    search.py report results.json

Needs the jar (`mvn package`) and, for `run`, optuna. `run` replaces what it finds anew and keeps the rest.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

import rows
import tables
from replay import ROOT

DOCUMENT = ROOT / "docs" / "search.md"


def run(arguments: argparse.Namespace) -> None:
    file: Path = arguments.results
    known = json.loads(file.read_text()) if file.is_file() else []
    results = {key(found): found for found in known}
    for row in arguments.rows:
        seeds = arguments.model_seeds if row == "e" else arguments.seeds
        for found in rows.ROWS[row](seeds, arguments.only, arguments.ours):
            results[key(found)] = rounded(found)
            lines = ",\n".join(json.dumps(result) for result in sorted(results.values(), key=lambda each: each["row"]))
            file.write_text(f"[\n{lines}\n]\n")
            print(row, found["job"], found["optimiser"], file=sys.stderr)


def key(found: dict[str, Any]) -> str:
    """What a result is of: a later one of the same takes its place."""
    return json.dumps([found.get(name) for name in ("row", "job", "baseline", "below", "budget", "optimiser")])


def rounded(found: dict[str, Any]) -> dict[str, Any]:
    """To four decimals: the file is read by people, too."""
    return json.loads(json.dumps(found), parse_float=lambda digits: round(float(digits), 4))


def report(arguments: argparse.Namespace) -> None:
    results = json.loads(arguments.results.read_text())
    text = DOCUMENT.read_text()
    for row in rows.ROWS:
        begin, end = f"<!-- row {row} -->\n", f"<!-- end of row {row} -->"
        before, _, rest = text.partition(begin)
        _, _, after = rest.partition(end)
        found = [result for result in results if result["row"] == row]
        text = before + begin + (tables.TABLES[row](found) if found else "Not run.\n") + end + after
    DOCUMENT.write_text(text)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    running = commands.add_parser("run")
    running.add_argument("results", type=Path)
    running.add_argument("--rows", nargs="+", choices=list(rows.ROWS), default=list(rows.ROWS))
    running.add_argument("--only", default="", help="one job's name, or for models '16 cores'")
    running.add_argument("--ours", action="store_true", help="this tuner's samplers alone; the others' figures stay")
    running.add_argument("--seeds", type=int, default=200)
    running.add_argument("--model-seeds", type=int, default=200)
    running.set_defaults(command=run)
    reporting = commands.add_parser("report")
    reporting.add_argument("results", type=Path)
    reporting.set_defaults(command=report)
    arguments = parser.parse_args()
    arguments.command(arguments)


if __name__ == "__main__":
    main()
