"""The requests that read samples in this very process: ``check`` and ``step_alone``."""

from __future__ import annotations

import dataclasses
import itertools
from time import perf_counter
from typing import Any

from loader_probe import loading, passes, usage
from loader_probe.batches import count_bytes, count_samples, describe, holds_gpu_tensor
from loader_probe.failing_sample import read_here
from loader_probe.failures import Context, ProbeFailure, classify
from loader_probe.loading import LoaderConfig
from loader_probe.session import Session
from loader_probe.sources import Source

_WARMUP_STEPS = 3
_WARMUP_SECONDS = 0.5


def check(session: Session, batch_size: int) -> dict[str, Any]:
    """Reads one sample (and a second one, to time it when all is open) and one batch."""
    source = session.source
    config = LoaderConfig.of({"num_workers": 0, "batch_size": batch_size})
    unbatched = source.own is not None and source.own.unbatched
    needed = batch_size if source.batch_size_frozen_by is None else 1
    if source.kind == "map":
        loading.require_full_batch(source.length, needed, source.rank)
    whole = source.kind == "batches" or unbatched
    sample, seconds = (None, None) if whole else _read_sample(session, needed)
    batch, batch_seconds, order = _read_batch(session, config)
    count = count_samples(batch, otherwise=source.samples_of_a_scalar)
    if source.kind == "iterable":
        loading.require_full_batch(count, needed)
    batch_bytes = count_bytes(batch)
    on_gpu = holds_gpu_tensor(batch)
    del batch
    return {
        "length": source.length,
        "sample": [] if whole else describe(sample),
        "sample_bytes": None if whole else count_bytes(sample),
        "batch_bytes": batch_bytes,
        "batch_samples": count,
        "samples_on_gpu": on_gpu,
        "order": order,
        "sample_seconds": batch_seconds / count if seconds is None else seconds,
        "process_bytes": usage.memory()["pss_bytes"],
    }


def _read_sample(session: Session, batch_size: int) -> tuple[Any, float]:
    source = session.source
    if source.kind == "map":
        first, second = first_two(source)
        sample = read_here(source.dataset, first)
        begun = perf_counter()
        read_here(source.dataset, second)
        return sample, perf_counter() - begun
    nothing = object()
    begun = perf_counter()
    samples = iter(source.dataset)
    sample = next(samples, nothing)
    if sample is nothing:
        loading.require_full_batch(0, batch_size)
    ready = perf_counter()
    second = next(samples, nothing)
    return sample, perf_counter() - ready if second is not nothing else ready - begun


def first_two(source: Source) -> list[Any]:
    """Two indices that the dataset is asked for in training; twice the same where there is one."""
    own = source.own
    if own is None:
        return [0, 1 if source.length and source.length > 1 else 0]
    drawn = own.sampler if own.batch_sampler is None else itertools.chain.from_iterable(own.batch_sampler)
    two = list(itertools.islice(drawn, 2))
    if not two:
        loading.require_full_batch(0, 1)
    return [two[0], two[-1]]


def _read_batch(session: Session, config: LoaderConfig) -> tuple[Any, float, dict[str, Any] | None]:
    """A batch, the seconds until it came, and how the user's own sampler orders its passes."""
    source = session.source
    begun = perf_counter()
    if source.kind == "batches":
        loader = source.dataset(dataclasses.asdict(config))
    elif source.kind == "iterable":
        # Not repeated: a pass too short for one batch is to be noticed.
        size = None if source.own is not None and source.own.unbatched else config.batch_size
        loader = loading.data_loader(source, config, session.worker_start, 0, source.dataset, batch_size=size)
    else:
        loader = loading.build_loader(source, config, seed=0, worker_start=session.worker_start)
    iterator = iter(loader)
    try:
        batch = next(iterator)
        seconds = perf_counter() - begun
        users = loader if source.kind == "batches" else source.own
        return batch, seconds, None if users is None else passes.order(users)
    except StopIteration:
        raise ProbeFailure(
            "dataset_error",
            f"the dataset is empty: a pass over it yields nothing, a batch takes {config.batch_size}",
            {"length": source.length, "batch_size": config.batch_size},
        ) from None
    finally:
        loading.close(loader, iterator)


def step_alone(session: Session, config: dict[str, Any], seconds: float) -> dict[str, Any]:
    """Repeats the step on one batch for that many seconds, after a short warm-up."""
    step, device = session.step, session.device
    if step is None:
        raise ProbeFailure("runner_error", "step_alone needs a step, and open was given none")
    asked = LoaderConfig.of(config)
    alone = LoaderConfig(num_workers=0, batch_size=asked.batch_size, pin_memory=asked.pin_memory)
    batch, _, _ = _read_batch(session, asked if session.source.kind == "batches" else alone)
    samples = count_samples(batch, otherwise=session.source.samples_of_a_scalar)
    batch = device.move(batch, asked.non_blocking)
    try:
        begun = perf_counter()
        for _ in range(_WARMUP_STEPS):
            step(batch)
            device.synchronise()
            if perf_counter() - begun > _WARMUP_SECONDS:
                break
        begun = perf_counter()
        steps = 0
        while steps == 0 or perf_counter() - begun < seconds:
            step(batch)
            device.pace()
            steps += 1
        device.synchronise()
        return {"steps": steps, "samples": steps * samples, "seconds": perf_counter() - begun}
    except BaseException as error:
        raise classify(error, Context(doing="step")) from error
