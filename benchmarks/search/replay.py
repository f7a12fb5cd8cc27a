"""Drives `loader-tuner replay`: whole studies of the tuner's own samplers, or a machine that measures as asked."""

from __future__ import annotations

import json
import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any

ROOT = Path(__file__).resolve().parent.parent.parent
JAR = ROOT / "tuner-core" / "target" / "loader-tuner.jar"
SURFACES = ROOT / "benchmarks" / "search" / "surfaces.csv"

# Workers, prefetch factor (0 without workers), batch size, and PINNED where memory is pinned.
Config = tuple[Any, ...]
PINNED = "pinned"
FAILED = "failed"


@dataclass(frozen=True)
class Job:
    """What is replayed: its arguments for `replay`, and the configs an optimiser may choose from."""

    name: str
    arguments: tuple[str, ...]
    configs: tuple[Config, ...]
    noise: str = "shared"

    def below(self, share: float) -> Job:
        """The same with a made-up baseline that is slower than the best by this share."""
        return Job(self.name, (*self.arguments, f"--baseline-below={share}"), self.configs, self.noise)


def java(*arguments: str) -> list[str]:
    return ["java", "-XX:+UseSerialGC", "-jar", str(JAR), "replay", *arguments]


def study(job: Job, baseline: Config, sampler: str, seeds: int, seconds: int, trials: int = 60) -> dict[str, Any]:
    """The figures of many studies of one of the tuner's samplers."""
    command = java(
        *job.arguments,
        f"--noise={job.noise}",
        f"--baseline={text(baseline)}",
        f"--sampler={sampler}",
        f"--repeats={seeds}",
        f"--budget={seconds}",
        f"--trials={trials}",
        "--json",
    )
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)


@dataclass
class Seen:
    """One answer: the rate measured, what the round took, when it ended, and the rate without noise.

    What fails delivers nothing: both rates are 0.
    """

    rate: float
    seconds: float
    elapsed: float
    truth: float


@dataclass
class Machine:
    """A replayed machine that measures one config after another; each seed begins anew."""

    job: Job
    baseline: Config
    noise: str = ""
    process: subprocess.Popen[str] = field(init=False)
    elapsed: float = field(init=False, default=0)

    def __enter__(self) -> Machine:
        noise = self.noise or self.job.noise
        command = java(*self.job.arguments, f"--noise={noise}", f"--baseline={text(self.baseline)}", "--interactive")
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, bufsize=1
        )
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self.process.stdin
        self.process.stdin.close()
        self.process.wait()

    def begin(self, seed: int) -> None:
        assert self.process.stdin
        self.process.stdin.write(f"{seed}\n")
        self.elapsed = 0

    def measure(self, config: Config) -> Seen:
        assert self.process.stdin and self.process.stdout
        self.process.stdin.write(text(config) + "\n")
        self.process.stdin.flush()
        rate, *others = self.process.stdout.readline().split()
        seconds, elapsed, truth = (float(word) for word in others)
        seen = Seen(0, seconds, elapsed, 0) if rate == FAILED else Seen(float(rate), seconds, elapsed, truth)
        self.elapsed = seen.elapsed
        return seen


def truths(job: Job, baseline: Config) -> dict[Config, Seen]:
    """Every config and the baseline, measured without noise."""
    with Machine(job, baseline, noise="none") as machine:
        machine.begin(0)
        return {config: machine.measure(config) for config in {*job.configs, baseline}}


def text(config: Config) -> str:
    return ",".join(str(value) for value in config)
