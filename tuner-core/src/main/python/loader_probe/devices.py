"""Where batches go: the CPU or a CUDA device, behind one interface."""

from __future__ import annotations

import re
import subprocess
import time
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch

from loader_probe.batches import move
from loader_probe.failures import ProbeFailure

_STEPS_AHEAD = 2
_SMI_SECONDS = 2.0
_DRIVER_FILE = Path("/proc/driver/nvidia/version")


def driver_version(text: str) -> str | None:
    """The version in the text of the NVIDIA kernel module's own file; None where it says none."""
    for line in text.splitlines():
        if line.startswith("NVRM version:"):
            found = re.search(r"\s(\d+(?:\.\d+)+)\s", line + " ")
            return found.group(1) if found else None
    return None


def _driver() -> str | None:
    try:
        return driver_version(_DRIVER_FILE.read_text(errors="replace"))
    except OSError:
        return None


class Device(ABC):
    """A device to which batches are moved and on which steps run."""

    torch_device: torch.device

    @property
    def name(self) -> str:
        return str(self.torch_device)

    def move(self, batch: Any, non_blocking: bool) -> Any:
        return move(batch, self.torch_device, non_blocking)

    @abstractmethod
    def facts(self) -> dict[str, Any] | None:
        """Name and memory of a GPU, None for the CPU."""

    @abstractmethod
    def emulated_step(self, milliseconds: float) -> Callable[[Any], Any]:
        """A step that keeps the device, not the CPU, busy for that long."""

    @abstractmethod
    def synchronise(self) -> None:
        """Waits until everything queued on the device is done."""

    @abstractmethod
    def pace(self) -> None:
        """Called after each step: keeps the host from queueing steps without bound."""

    @abstractmethod
    def begin_round(self) -> None:
        """Starts counting memory anew."""

    @abstractmethod
    def usage(self) -> dict[str, Any] | None:
        """Peak memory since ``begin_round``, on the device and page-locked for it, and utilisation of about the last
        second; None for the CPU."""


class CpuDevice(Device):
    """The CPU: a batch is there when it is delivered, and a step is a sleep, since a GPU would leave the CPU free."""

    def __init__(self) -> None:
        self.torch_device = torch.device("cpu")

    def facts(self) -> dict[str, Any] | None:
        return None

    def emulated_step(self, milliseconds: float) -> Callable[[Any], Any]:
        seconds = milliseconds / 1000
        sleep = time.sleep
        return lambda _batch: sleep(seconds)

    def synchronise(self) -> None:
        pass

    def pace(self) -> None:
        pass

    def begin_round(self) -> None:
        pass

    def usage(self) -> dict[str, Any] | None:
        return None


class CudaDevice(Device):
    """A CUDA device. Steps are queued on the current stream, at most two ahead of the device.

    Without that bound a slow device would fall behind a fast loader by as many steps as its queue takes, a thousand,
    and the end of a window of one second would be waited for that long.
    """

    def __init__(self, index: int) -> None:
        self.torch_device = torch.device("cuda", index)
        torch.cuda.set_device(self.torch_device)
        self._queued: deque[Any] = deque()
        self._cycles_per_millisecond: float | None = None

    def facts(self) -> dict[str, Any] | None:
        properties = torch.cuda.get_device_properties(self.torch_device)
        return {"name": properties.name, "memory_bytes": properties.total_memory, "driver": _driver()}

    def emulated_step(self, milliseconds: float) -> Callable[[Any], Any]:
        spin = getattr(torch.cuda, "_sleep", None)
        if spin is None:
            raise ProbeFailure(
                "environment_error",
                "this torch has no torch.cuda._sleep, so a step cannot be emulated on the GPU: give a step factory",
            )
        if self._cycles_per_millisecond is None:
            self._cycles_per_millisecond = self._calibrate(spin)
        cycles = int(milliseconds * self._cycles_per_millisecond)
        return lambda _batch: spin(cycles)

    def _calibrate(self, spin: Callable[[int], None]) -> float:
        """Clock cycles per millisecond: the median of a few spins, after one that raises the clocks."""
        cycles = 20_000_000
        spin(5 * cycles)
        rates = []
        for _ in range(5):
            begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
            begin.record()
            spin(cycles)
            end.record()
            end.synchronize()
            rates.append(cycles / begin.elapsed_time(end))
        return sorted(rates)[2]

    def synchronise(self) -> None:
        self._queued.clear()
        torch.cuda.synchronize(self.torch_device)

    def pace(self) -> None:
        event = torch.cuda.Event()
        event.record()
        self._queued.append(event)
        if len(self._queued) > _STEPS_AHEAD:
            self._queued.popleft().synchronize()

    def begin_round(self) -> None:
        self._queued.clear()
        torch.cuda.reset_peak_memory_stats(self.torch_device)
        reset_pinned = getattr(torch.cuda, "reset_peak_host_memory_stats", None)
        if reset_pinned is not None:
            reset_pinned()

    def usage(self) -> dict[str, Any] | None:
        return {
            "memory_bytes": torch.cuda.max_memory_reserved(self.torch_device),
            "pinned_bytes": _pinned_bytes(),
            "utilization": self._utilization(),
        }

    def _utilization(self) -> float | None:
        """From 0 to 1, as ``nvidia-smi`` says it; None where it does not."""
        properties = torch.cuda.get_device_properties(self.torch_device)
        uuid = getattr(properties, "uuid", None)
        which = f"GPU-{str(uuid).replace('GPU-', '')}" if uuid is not None else str(self.torch_device.index)
        try:
            answer = subprocess.run(
                ["nvidia-smi", f"--id={which}", "--query-gpu=utilization.gpu", "--format=csv,noheader,nounits"],
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=_SMI_SECONDS,
                check=True,
            )
            return int(answer.stdout.split()[0]) / 100
        except (OSError, ValueError, IndexError, subprocess.SubprocessError):
            return None


def _pinned_bytes() -> int | None:
    """The most host memory that was page-locked at once, as it was really taken; None where torch does not say."""
    statistics = getattr(torch.cuda, "host_memory_stats", None)
    return None if statistics is None else statistics().get("allocated_bytes.peak")


def memory_was_taken() -> bool:
    """Whether this process, which has initialised CUDA, ever took memory on a GPU."""
    return any(
        torch.cuda.memory_stats(index).get("allocated_bytes.all.allocated", 0)
        for index in range(torch.cuda.device_count())
    )


def open_device(name: str) -> Device:
    """The device for ``auto``, ``cpu``, ``cuda`` or ``cuda:N``; ``environment_error`` where there is no such device."""
    if name == "cpu" or (name == "auto" and not torch.cuda.is_available()):
        return CpuDevice()
    kind, _, index = name.partition(":")
    if name != "auto" and (kind != "cuda" or (index and not index.isdigit())):
        raise ProbeFailure("invalid_config", f"device is auto, cpu, cuda or cuda:N, not {name!r}")
    if not torch.cuda.is_available():
        raise ProbeFailure(
            "environment_error", f"device {name} was asked for, but torch {torch.__version__} finds no CUDA"
        )
    number = int(index or 0)
    if number >= torch.cuda.device_count():
        raise ProbeFailure(
            "environment_error", f"device {name} was asked for, but there are {torch.cuda.device_count()} CUDA devices"
        )
    return CudaDevice(number)
