"""Asks a Loader Tuner service for DataLoader settings, and never keeps a training job from starting.

One file, standard library only, Python 3.9 and newer. Copy it beside your training code:

    import loader_tuner

    settings = loader_tuner.loader_config("product-photos", default={"batch_size": 64, "num_workers": 4})
    loader = torch.utils.data.DataLoader(dataset, shuffle=True, **settings)

The service is looked for at ``url``, else at ``LOADER_TUNER_URL``, else at http://127.0.0.1:8080.
A service that needs a token is shown the one in ``LOADER_TUNER_TOKEN``.
"""

from __future__ import annotations

import importlib.metadata
import json
import logging
import os
import re
import threading
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Mapping
from pathlib import Path
from typing import Any

log = logging.getLogger("loader_tuner")

_SETTINGS = (
    "batch_size",
    "num_workers",
    "prefetch_factor",
    "pin_memory",
    "persistent_workers",
    "multiprocessing_context",
)
_LOOPBACK = "http://127.0.0.1:8080"


class TuningError(Exception):
    """What the service refused, in its own words."""


def loader_config(
    dataset: str,
    default: Mapping[str, Any] | None = None,
    *,
    version: str | None = None,
    machine_type: str | None = None,
    url: str | None = None,
    timeout: float = 2.0,
) -> dict[str, Any]:
    """The keyword arguments of a ``DataLoader`` for this dataset on this machine.

    What was measured, if anything was, also where it was measured on a similar machine or another version and fitted to
    this one; else ``default``, or a cautious start of the service's where there is none.
    Answers within ``timeout`` seconds whatever happens, logs one line, and never raises: without the service it is
    ``default``, and an empty dictionary where there is none.
    """
    answers: list[tuple[dict[str, Any], str]] = []

    def ask() -> None:
        try:
            answers.append(_recommended(dataset, default, version, machine_type, url, timeout))
        except Exception as error:
            answers.append((dict(default or {}), f"{_why(error)}: the default is used"))

    try:
        # A name server or a proxy may hold a call up for longer than any time-out of a socket.
        asking = threading.Thread(target=ask, name="loader-tuner", daemon=True)
        asking.start()
        asking.join(timeout)
        settings, why = answers[0] if answers else (dict(default or {}), "no answer in time: the default is used")
        log.info("loader settings of %s: %s (%s)", dataset, settings, why)
        return settings
    except Exception:
        return dict(default or {})


def tune(descriptor: Mapping[str, Any], *, wait: float = 600.0, url: str | None = None) -> dict[str, Any]:
    """Queues a study of this dataset descriptor and waits for its end, at most ``wait`` seconds.

    Returns the study as it stands then. ``TuningError`` if the service refuses it, ``OSError`` if there is none.
    """
    request = urllib.request.Request(
        f"{_base(url)}/api/v1/studies?{urllib.parse.urlencode({'wait': int(wait)})}",
        data=json.dumps(dict(descriptor)).encode(),
        headers={"Content-Type": "application/json"},
    )
    try:
        return _read(request, wait + 30)
    except urllib.error.HTTPError as refused:
        raise TuningError(_detail(refused)) from None


def machine_facts() -> dict[str, Any]:
    """What the ranks of a job on this machine may use together: ``cpus``, ``memory_bytes``, the ``gpu``'s model, ``torch``."""
    ranks = _ranks()
    facts = {
        "cpus": _usable_cores(ranks),
        "ranks": ranks,
        "gpu": _gpu(),
        "memory_bytes": _memory_bytes(),
        "torch": _torch(),
    }
    return {name: value for name, value in facts.items() if value is not None}


def _recommended(
    dataset: str,
    default: Mapping[str, Any] | None,
    version: str | None,
    machine_type: str | None,
    url: str | None,
    timeout: float,
) -> tuple[dict[str, Any], str]:
    query = {"dataset": dataset, "version": version, "machine_type": machine_type, **machine_facts()}
    asked = urllib.parse.urlencode({name: value for name, value in query.items() if value is not None})
    answer = _read(urllib.request.Request(f"{_base(url)}/api/v1/recommendations?{asked}"), timeout)
    if answer["status"] == "default" and default is not None:
        return dict(default), "nothing was measured: the default is used"
    config = answer["config"]
    settings = {name: config[name] for name in _SETTINGS if config.get(name) is not None}
    return settings, f"{answer['status']}: {answer['reason']}"


def _read(request: urllib.request.Request, timeout: float) -> dict[str, Any]:
    token = os.environ.get("LOADER_TUNER_TOKEN")
    if token:
        request.add_unredirected_header("Authorization", f"Bearer {token}")
    # A proxy does not lead to this machine, even where the environment names one for everything.
    local = urllib.parse.urlsplit(request.full_url).hostname in ("127.0.0.1", "::1", "localhost")
    opener = urllib.request.build_opener(*([urllib.request.ProxyHandler({})] if local else []))
    with opener.open(request, timeout=timeout) as answer:
        return json.load(answer)


def _base(url: str | None) -> str:
    return (url or os.environ.get("LOADER_TUNER_URL") or _LOOPBACK).rstrip("/")


def _why(error: Exception) -> str:
    return _detail(error) if isinstance(error, urllib.error.HTTPError) else f"{type(error).__name__}: {error}"


def _detail(refused: urllib.error.HTTPError) -> str:
    try:
        return str(json.load(refused)["detail"])
    except Exception:
        return f"HTTP {refused.code}"


def _ranks() -> int:
    for name in ("LOCAL_WORLD_SIZE", "SLURM_NTASKS_PER_NODE", "OMPI_COMM_WORLD_LOCAL_SIZE", "WORLD_SIZE"):
        value = os.environ.get(name, "")
        if value.isdigit() and int(value) > 0:
            return int(value)
    return 1


def _usable_cores(ranks: int) -> float:
    """Of all ranks together: each may be bound to a share of the cores that the job has."""
    own = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    cores = own if ranks == 1 else min([own * ranks, *_cores_of_the_job()])
    return round(min([float(cores), *_quotas()]), 3)


def _cores_of_the_job() -> list[int]:
    counts = [os.cpu_count() or 1]
    for folder in _cgroups("cpuset"):
        for name in ("cpuset.cpus.effective", "cpuset.effective_cpus"):
            ranges = [part.split("-") for part in _text(folder / name).strip().split(",") if part]
            counts += [sum(int(each[-1]) - int(each[0]) + 1 for each in ranges)] if ranges else []
    return counts


def _quotas() -> list[float]:
    """Processors' worth of time that the cgroups above this process allow, of both versions."""
    quotas = []
    for folder in _cgroups("cpu"):
        limit = _split(folder / "cpu.max") or [
            *_split(folder / "cpu.cfs_quota_us"),
            *_split(folder / "cpu.cfs_period_us"),
        ]
        if len(limit) == 2 and limit[0].isdigit() and int(limit[0]) > 0 and int(limit[1]) > 0:
            quotas.append(int(limit[0]) / int(limit[1]))
    return quotas


def _memory_bytes() -> int | None:
    limits = []
    total = re.search(r"^MemTotal:\s+(\d+) kB", _text(Path("/proc/meminfo")), re.MULTILINE)
    if total:
        limits.append(int(total[1]) * 1024)
    for folder in _cgroups("memory"):
        for name in ("memory.max", "memory.limit_in_bytes"):
            limits += [int(word) for word in _split(folder / name) if word.isdigit()]
    return min(limits, default=None)


def _cgroups(controller: str) -> list[Path]:
    """The folders of this process's cgroups that limit it, the nearest first."""
    folders = []
    for line in _text(Path("/proc/self/cgroup")).splitlines():
        _, controllers, path = line.split(":", 2)
        if controllers and controller not in controllers.split(","):
            continue
        top = Path("/sys/fs/cgroup") / (controllers and controller)
        own = top / path.lstrip("/")
        folders += [own, *(parent for parent in own.parents if top == parent or top in parent.parents)]
    return folders


def _gpu() -> str | None:
    """By the driver's own files: asking CUDA would make a context, which forked workers do not survive.

    None where there is one that they do not name.
    """
    visible = os.environ.get("CUDA_VISIBLE_DEVICES", "0").strip()
    if visible in ("", "-1"):
        return "none"
    if visible.startswith("MIG-"):
        return "NVIDIA MIG device"
    for file in sorted(Path("/proc/driver/nvidia/gpus").glob("*/information")):
        model = re.search(r"^Model:\s+(.+?)\s*$", _text(file), re.MULTILINE)
        if model:
            return model[1]
    return None if Path("/dev/nvidiactl").exists() or Path("/dev/dxg").exists() else "none"


def _split(file: Path) -> list[str]:
    return _text(file).split()


def _torch() -> str | None:
    """The version that is installed, without importing it."""
    try:
        return importlib.metadata.version("torch")
    except importlib.metadata.PackageNotFoundError:
        return None


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
