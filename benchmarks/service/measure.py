#!/usr/bin/env python3
"""How fast are lookups and pages where much is stored, how fast does the service start, how much memory does it take?

    measure.py JAR FOLDER [--seconds 20] [--connections 8]

JAR is the packaged service; FOLDER, made where there is none, takes what is unpacked of it and the store, which is
filled once: 10,000 recommendations and 100,000 trials, and a study of 2,000 trials. Wants a machine that does nothing
else, and says how loaded it was. Standard library only, and an interpreter with torch for the one study that is copied
(LOADER_TUNER_PYTHON).
"""

from __future__ import annotations

import argparse
import json
import os
import re
import signal
import statistics
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
DESCRIPTOR = {
    "name": "model",
    "version": "1",
    "source": {"kind": "synthetic", "samples": 100_000, "cpu_milliseconds": 0.5},
    "space": {"num_workers": [0, 1, 2], "prefetch_factor": [2], "batch_size": [32]},
    "budget": {"seconds": 30, "trials": 4},
}
STARTS = 5


class Service:
    """The unpacked service as its image runs it, on a port of its own."""

    def __init__(self, unpacked: Path, home: Path) -> None:
        begun = time.monotonic()
        self.process = subprocess.Popen(
            [
                "java",
                "-XX:MaxRAMPercentage=25",
                f"-XX:SharedArchiveFile={unpacked / 'tuner-service.jsa'}",
                "-jar",
                str(unpacked / "tuner-service.jar"),
                "--server.port=0",
                # Tomcat closes a connection after 100 calls; what it costs to open another is not asked here.
                "--server.tomcat.max-keep-alive-requests=-1",
                f"--loader-tuner.home={home}",
                f"--loader-tuner.measuring-lock={home / 'measuring.lock'}",
            ],
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout is not None
        for line in self.process.stdout:
            listening = re.search(r"listens on http://127\.0\.0\.1:(\d+)", line)
            if listening:
                self.port = int(listening.group(1))
                break
        else:
            raise SystemExit("the service did not start")
        while self.get("/actuator/health/readiness")["status"] != "UP":
            time.sleep(0.01)
        self.seconds_to_ready = time.monotonic() - begun

    def call(self, path: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}{path}", data, {"Content-Type": "application/json"}
        )
        with urllib.request.urlopen(request, timeout=600) as answer:
            return json.load(answer)

    def get(self, path: str) -> dict[str, Any]:
        try:
            return self.call(path)
        except urllib.error.HTTPError as refused:
            return {"status": refused.reason}

    def mebibytes(self) -> float:
        """What it holds of memory: that which is its own, and its share of what it shares."""
        text = Path(f"/proc/{self.process.pid}/smaps_rollup").read_text()
        match = re.search(r"^Pss:\s+(\d+) kB", text, re.MULTILINE)
        assert match is not None
        return int(match.group(1)) / 1024

    def processor_seconds(self) -> float:
        """What its threads have used since it started."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def stop(self) -> None:
        self.process.send_signal(signal.SIGTERM)
        self.process.wait()


def unpack(jar: Path, folder: Path) -> Path:
    """As the Dockerfile does."""
    unpacked = folder / "unpacked"
    if not (unpacked / "tuner-service.jsa").exists():
        subprocess.run(
            ["java", "-Djarmode=tools", "-jar", jar, "extract", "--force", "--destination", unpacked], check=True
        )
        subprocess.run(
            [
                "java",
                f"-XX:ArchiveClassesAtExit={unpacked / 'tuner-service.jsa'}",
                "-Xlog:cds=error",
                "-Xlog:cds+dynamic=error",
                "-Dspring.context.exit=onRefresh",
                "-jar",
                unpacked / "tuner-service.jar",
                f"--loader-tuner.home={folder / 'archived'}",
            ],
            check=True,
            stdout=subprocess.DEVNULL,
        )
    return unpacked


def fill(unpacked: Path, home: Path) -> None:
    filled = home / "filled"
    if filled.exists():
        return
    service = Service(unpacked, home)
    study = service.call("/api/v1/studies?wait=300", DESCRIPTOR)
    service.stop()
    if study["state"] != "completed":
        raise SystemExit(f"the study to copy ended {study['state']}: {study['failure']}")
    h2 = next((unpacked / "lib").glob("h2-*.jar"))
    url = f"jdbc:h2:file:{home / 'tuner'};MODE=PostgreSQL;DATABASE_TO_LOWER=TRUE;DEFAULT_NULL_ORDERING=HIGH"
    subprocess.run(["java", "-cp", str(h2), str(HERE / "Fill.java"), url], check=True)
    filled.touch()


def load(service: Service, what: str, connections: int, seconds: float, rate: float | None = None) -> dict[str, float]:
    command = ["java", "-Xmx256m", str(HERE / "Load.java"), str(service.port), what, str(connections), str(seconds)]
    before = service.processor_seconds()
    done = subprocess.run(command + ([] if rate is None else [str(rate)]), check=True, capture_output=True, text=True)
    found: dict[str, float] = json.loads(done.stdout)
    found["processor_us"] = 1e6 * (service.processor_seconds() - before) / found["calls"]
    return found


def measure(service: Service, connections: int, seconds: float) -> None:
    for what in ("lookup", "liveness"):
        load(service, what, connections, seconds)
    rounds = [[load(service, what, connections, seconds) for what in ("lookup", "liveness")] for _ in range(3)]
    for side, what in enumerate(("lookup", "liveness")):
        rate = statistics.median(pair[side]["rate"] for pair in rounds)
        processor = statistics.median(pair[side]["processor_us"] for pair in rounds)
        print(f"{what}: at most {rate:.0f} calls a second, {processor:.0f} us of processor time each in the service")
    share = statistics.median(pair[0]["rate"] / pair[1]["rate"] for pair in rounds)
    print(f"the most lookups are {share:.2f} of the most calls for liveness")
    rate = statistics.median(pair[0]["rate"] for pair in rounds) / 2
    for _ in range(6):
        found = load(service, "lookup", connections, seconds, rate)
        if 0.45 <= found["idle"] <= 0.65:
            break
        rate *= 0.8 if found["idle"] < 0.45 else 1.2
    told(f"lookup, machine {found['idle']:.0%} idle", found)
    # What the machine itself does to any call is seen by the one that does nothing.
    told("liveness at the same rate", load(service, "liveness", connections, seconds, rate))


def told(what: str, found: dict[str, float]) -> None:
    print(
        f"{what}: {found['rate']:.0f}/s, p50 {found['p50_ms']:.2f} ms, p99 {found['p99_ms']:.2f} ms,"
        f" longest {found['max_ms']:.1f} ms"
    )


def pages(service: Service, calls: int = 20) -> None:
    """How long the server takes for pages where much is stored, and how much it sends, compressed as a browser asks."""
    for name, path in (
        ("the list of studies", "/studies"),
        ("its page 400", "/studies?page=400"),
        ("by gain", "/studies?sort=gain"),
        ("searched", "/studies?q=dataset-1234"),
        ("machines and recommendations", "/machines"),
        ("a study of 2,000 trials", "/studies/large"),
        ("one of its trials", "/studies/large/trials/1234"),
    ):
        times, size = [], 0
        for _ in range(calls):
            request = urllib.request.Request(
                f"http://127.0.0.1:{service.port}{path}", headers={"Accept": "text/html", "Accept-Encoding": "gzip"}
            )
            begun = time.monotonic()
            with urllib.request.urlopen(request, timeout=600) as answer:
                size = len(answer.read())
            times.append(1000 * (time.monotonic() - begun))
        print(
            f"page, {name}: {times[0]:.0f} ms the first time, then median {statistics.median(times[1:]):.0f} ms,"
            f" longest {max(times[1:]):.0f} ms; {size / 1024:.0f} KiB"
        )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("jar", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--connections", type=int, default=8)
    arguments = parser.parse_args()
    folder = arguments.folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    unpacked = unpack(arguments.jar.resolve(), folder)
    print(f"load of the machine before: {os.getloadavg()[0]:.1f} of {os.cpu_count()} processors")
    fill(unpacked, folder / "home")
    starts = []
    for _ in range(STARTS):
        service = Service(unpacked, folder / "home")
        starts.append(service.seconds_to_ready)
        service.stop()
    print(f"start to ready: median {statistics.median(starts):.1f} s of {', '.join(f'{one:.1f}' for one in starts)}")
    service = Service(unpacked, folder / "home")
    try:
        time.sleep(10)
        print(f"memory when idle: {service.mebibytes():.0f} MiB")
        pages(service)
        measure(service, arguments.connections, arguments.seconds)
        print(f"memory after the load: {service.mebibytes():.0f} MiB")
    finally:
        service.stop()
    return 0


if __name__ == "__main__":
    sys.exit(main())
