"""Runs the probe's CUDA path from end to end and prints what it found as JSON.

``python -m loader_probe.cuda_check`` exits with 0 where all is as it should be, 1 where not, 2 without CUDA.
"""

from __future__ import annotations

import json
import os
import sys
import time
from dataclasses import asdict, dataclass
from typing import Any

from loader_probe.client import Client

_STEP_MILLISECONDS = 20.0
_PLAN = {
    "warmup_batches": 4,
    "warmup_seconds": 0.5,
    "window_seconds": 1.0,
    "cycle": 2,
    "min_cycles": 2,
    "max_window_seconds": 10.0,
}
_SHAPE = [3, 128, 128]
_BATCH = 32


@dataclass(frozen=True)
class Finding:
    """One statement about the machine, whether it holds, and what was seen."""

    name: str
    ok: bool
    seen: Any


def _open(client: Client, step: dict[str, Any] | None) -> dict[str, Any]:
    source = {"kind": "synthetic", "samples": 4096, "shape": _SHAPE}
    return client.ask("open", source=source, step=step, device="cuda", seed=7)


def _config(workers: int, pinned: bool) -> dict[str, Any]:
    config: dict[str, Any] = {"num_workers": workers, "batch_size": _BATCH, "pin_memory": pinned}
    return {**config, "prefetch_factor": 2, "persistent_workers": True} if workers else config


def _seconds_per_batch(result: dict[str, Any]) -> float:
    window = result["window"]
    arrivals = result["arrivals_us"]
    return (arrivals[window["last"]] - arrivals[window["first"]]) / 1e6 / (window["last"] - window["first"])


def _check_opened(answer: dict[str, Any]) -> list[Finding]:
    facts = answer.get("result") or {}
    gpu = facts.get("gpu") or {}
    return [
        Finding("opens on the GPU", str(facts.get("device", "")).startswith("cuda:"), facts or answer),
        Finding("names the GPU and its memory", bool(gpu.get("name")) and gpu.get("memory_bytes", 0) > 0, gpu),
        Finding("sees that the dataset left CUDA alone", facts.get("dataset_initialised_cuda") is False, None),
    ]


def _check_round(client: Client, pinned: bool, workers: int, with_step: bool) -> list[Finding]:
    name = f"{workers} workers, {'pinned' if pinned else 'not pinned'}, {'with step' if with_step else 'no step'}"
    answer = client.round(_config(workers, pinned), _PLAN, with_step)
    result = answer.get("result")
    if result is None:
        return [Finding(f"{name}: runs", False, answer)]
    period = _seconds_per_batch(result) * 1000
    findings = [
        Finding(f"{name}: pinning is in force as asked", result["effective"]["pin_memory"] is pinned, None),
        Finding(f"{name}: says how much GPU memory it took", result["gpu"]["memory_bytes"] > 0, result["gpu"]),
        Finding(f"{name}: milliseconds per batch", True, period),
    ]
    if with_step:
        at_least = 0.9 * _STEP_MILLISECONDS
        findings.append(Finding(f"{name}: no batch is faster than the step", period >= at_least, period))
        # Not a fault where nvidia-smi is absent, hence no condition on null.
        utilization = result["gpu"]["utilization"]
        busy = utilization is None or utilization > 0.3
        findings.append(Finding(f"{name}: the step keeps the GPU busy", busy, utilization))
    return findings


def _check_step_alone(client: Client) -> list[Finding]:
    answer = client.ask("step_alone", config=_config(0, False), seconds=1.0)
    result = answer.get("result")
    if result is None:
        return [Finding("step alone runs", False, answer)]
    milliseconds = result["seconds"] / result["steps"] * 1000
    close = 0.8 * _STEP_MILLISECONDS < milliseconds < 1.25 * _STEP_MILLISECONDS
    return [Finding(f"an emulated step of {_STEP_MILLISECONDS} ms takes that long", close, milliseconds)]


def _check_synchronisation() -> list[Finding]:
    """That the host's clock alone would be wrong, and that the device's own calls put it right."""
    from loader_probe.devices import open_device

    device = open_device("cuda")
    step = device.emulated_step(100.0)
    device.synchronise()
    begun = time.perf_counter()
    step(None)
    queued = time.perf_counter() - begun
    device.synchronise()
    done = time.perf_counter() - begun
    begun = time.perf_counter()
    for _ in range(10):
        step(None)
        device.pace()
    ahead = time.perf_counter() - begun
    device.synchronise()
    return [
        Finding("a step is queued, not waited for", queued < 0.05, queued),
        Finding("synchronising waits for the step", 0.08 < done < 0.15, done),
        Finding("the host is held to two steps ahead", ahead > 0.6, ahead),
    ]


def run(folder: str) -> list[Finding]:
    """All findings; probes are started from the ``folder`` that holds the package."""
    step = {"milliseconds": _STEP_MILLISECONDS}
    findings: list[Finding] = []
    for role in ("warm", "inline"):
        client = Client(folder, role)
        try:
            findings += _check_opened(_open(client, step))
            if role == "warm":
                for pinned in (False, True):
                    for with_step in (False, True):
                        findings += _check_round(client, pinned, 2, with_step)
            else:
                findings += _check_step_alone(client)
                findings += _check_round(client, True, 0, True)
            findings.append(Finding(f"the {role} probe ends cleanly", client.stop()["survivors"] == 0, None))
        finally:
            client.close()
    return findings + _check_synchronisation()


def main() -> int:
    """Entry point."""
    try:
        import torch
    except ImportError as error:
        print(f"torch cannot be imported by {sys.executable}: {error}", file=sys.stderr)
        return 2
    if not torch.cuda.is_available():
        print(f"torch {torch.__version__} finds no CUDA device on this machine: nothing to check", file=sys.stderr)
        return 2
    findings = run(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    ok = all(finding.ok for finding in findings)
    print(json.dumps({"ok": ok, "torch": str(torch.__version__), "findings": [asdict(f) for f in findings]}, indent=2))
    return 0 if ok else 1


if __name__ == "__main__":
    sys.exit(main())
