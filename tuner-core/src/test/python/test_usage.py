"""CPU of others, from a /proc/stat whose numbers are known."""

from __future__ import annotations

import io
import os

import pytest
from loader_probe import usage


def stat(*busy: int) -> str:
    lines = [f"cpu{number} {ticks} 0 0 1000 0 0 0 0 0 0" for number, ticks in enumerate(busy)]
    return "\n".join([f"cpu  {sum(busy)} 0 0 4000 0 0 0 0 0 0", *lines, "intr 1"])


@pytest.mark.parametrize(("mask", "seconds"), [({1, 3}, 2.0), ({0, 1, 2, 3}, 9.0)])
def test_cpu_of_others_counts_only_where_the_probe_may_run(
    monkeypatch: pytest.MonkeyPatch, mask: set[int], seconds: float
) -> None:
    ticks = os.sysconf("SC_CLK_TCK")
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: mask)
    texts = [stat(50, 50, 50, 50), stat(50 + 3 * ticks, 50 + 2 * ticks, 50 + 4 * ticks, 50)]
    monkeypatch.setattr(usage, "open", lambda *_, **__: io.StringIO(texts.pop(0)), raising=False)
    monkeypatch.setattr(usage, "read_stat", lambda pid: None)
    before, after = usage._machine_ticks(), usage._machine_ticks()

    assert (after - before) / ticks == seconds
