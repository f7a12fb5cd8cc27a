"""Writes down what a process is like in which user code runs."""

from __future__ import annotations

import json
import os
import signal
import sys
import threading

import torch


def _signals():
    return {
        number.name: getattr(signal.getsignal(number), "__name__", str(signal.getsignal(number)))
        for number in signal.Signals
    }


def note(path):
    """A dataset; what is noted is what would be the same wherever the process came from."""
    descriptors = [name for name in os.listdir("/proc/self/fd") if int(name) > 2]
    with open("/proc/self/status", encoding="ascii") as status:
        masks = [line.strip() for line in status if line.startswith(("SigBlk", "SigIgn", "Seccomp", "NoNewPrivs"))]
    noted = {
        "argv": sys.argv,
        "environment": {name: value for name, value in os.environ.items() if name != "LOADER_TUNER_PROBE"},
        "folder": os.getcwd(),
        "input": os.readlink("/proc/self/fd/0"),
        "output is the log": os.fstat(1).st_ino == os.fstat(2).st_ino,
        "descriptors": len(descriptors),
        "leads its session": os.getsid(0) == os.getpgid(0) == os.getpid(),
        "signals": _signals(),
        "masks": masks,
        "threads": threading.active_count(),
        "torch": [torch.get_num_threads(), torch.initial_seed(), str(torch.get_default_dtype())],
        "flags": str(sys.flags),
        "hash": hash("a string"),
        "cpus": sorted(os.sched_getaffinity(0)),
        "cuda": torch.cuda.is_initialized(),
    }
    with open(path, "w", encoding="utf-8") as file:
        json.dump(noted, file)
    return list(range(64))
