"""What ``open`` builds and every later request uses: the dataset, the step and the device."""

from __future__ import annotations

import inspect
import os
import platform
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any

import torch
from torch.utils.data import DataLoader

from loader_probe import loading
from loader_probe.devices import Device, memory_was_taken, open_device
from loader_probe.ranks import Rank
from loader_probe.roots import Limits, Roots
from loader_probe.seeds import seed_all
from loader_probe.sources import Source, build_source, divide
from loader_probe.steps import Step, build_step
from loader_probe.tidying import noted_processes
from loader_probe.workers import WorkerStart


@dataclass(frozen=True)
class Session:
    """One dataset with its step on one device, for as long as the process lives.

    ``epoch_gaps`` has the pauses, in seconds, that rounds saw between passes over an iterable of batches.
    """

    source: Source
    step: Step | None
    device: Device
    worker_start: WorkerStart
    epoch_gaps: dict[loading.LoaderConfig, float] = field(default_factory=dict)


def open_session(
    request: dict[str, Any], work: str, stack_path: str, cpus_before: int
) -> tuple[Session, dict[str, Any]]:
    """Builds dataset, then device, then step; reads no sample. Raises ``ProbeFailure`` or what user code raises."""
    begun = perf_counter()
    seed = int(request.get("seed") or 0)
    # A dataset that is shuffled or split at random is the same in all processes of a study.
    seed_all(seed)
    limits = Limits(Roots.of(request.get("code_roots")), Roots.of(request.get("data_roots")))
    rank = Rank.of(request)
    device_name = request.get("device") or "auto"
    if rank is not None:
        rank.announce()
        device_name = rank.claim_device(device_name)
    claimed = torch.cuda.is_initialized()
    source = build_source(request["source"], work, limits)
    # Looked at before the probe itself puts anything on the GPU.
    initialised_cuda = memory_was_taken() if claimed else torch.cuda.is_initialized()
    if rank is not None:
        source = divide(source, rank)
    device = open_device(device_name)
    step = build_step(request.get("step"), device, limits.code)
    session = Session(
        source,
        step,
        device,
        WorkerStart(stack_path, stack_path + "-notes", noted_processes(work), os.path.basename(work)),
    )
    facts = {
        "python": platform.python_version(),
        "torch": str(torch.__version__),
        "device": device.name,
        "gpu": device.facts(),
        "start_method": loading.start_method(source),
        "kind": source.kind,
        "length": source.length,
        "batch_size_frozen_by": source.batch_size_frozen_by,
        "open_seconds": perf_counter() - begun,
        "dataset_initialised_cuda": initialised_cuda,
        "usable_cpus_before": cpus_before,
        "usable_cpus_after": len(os.sched_getaffinity(0)),
        "torch_threads": torch.get_num_threads(),
        "omp_num_threads": _whole_number(os.environ.get("OMP_NUM_THREADS")),
        "in_order_available": "in_order" in inspect.signature(DataLoader.__init__).parameters,
    }
    return session, facts


def _whole_number(text: str | None) -> int | None:
    return int(text) if text is not None and text.isdigit() else None
