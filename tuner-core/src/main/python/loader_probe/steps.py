"""The training step: the user's own, or one of a given length emulated on the device."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from loader_probe.devices import Device
from loader_probe.failures import Context, ProbeFailure, classify
from loader_probe.roots import Roots
from loader_probe.user_code import extend_path, load_factory

Step = Callable[[Any], Any]


def build_step(step: dict[str, Any] | None, device: Device, code_roots: Roots) -> Step | None:
    """The step of an ``open`` request, or None where it has none."""
    if step is None:
        return None
    if step.get("factory") is not None:
        extend_path(step.get("python_path") or [])
        factory = load_factory(step["factory"], code_roots)
        try:
            built = factory(device.torch_device, **(step.get("arguments") or {}))
        except BaseException as error:
            raise classify(error, Context(doing="step")) from error
        if not callable(built):
            raise ProbeFailure(
                "dataset_error",
                f"the step factory {step['factory']} returned {type(built).__name__}, not a function step(batch)",
                {"part": "step"},
            )
        return built
    milliseconds = step.get("milliseconds")
    if isinstance(milliseconds, bool) or not isinstance(milliseconds, (int, float)) or milliseconds < 0:
        raise ProbeFailure("invalid_config", f"a step has milliseconds, 0 or more, or a factory; got {step!r}")
    return device.emulated_step(float(milliseconds)) if milliseconds else None
