"""Builds Loader Tuner's service, runs it as a child process and talks to it. Used by quickstart.py."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
JAR = ROOT / "tuner-service" / "target" / "tuner-service.jar"
BUILD = ["mvn", "-q", "-B", "-ntp", "-DskipTests", "package"]
LOOPBACK = "127.0.0.1"
STARTUP_SECONDS = 120
SHUTDOWN_SECONDS = 30

Json = dict[str, Any]


class QuickstartFailure(Exception):
    """The quickstart cannot go on; the message says why and what to do."""


def build_service() -> Path:
    """The service's jar, built unless it is there and newer than everything that it is made of."""
    sources = [ROOT / "pom.xml", *ROOT.glob("tuner-*/pom.xml")]
    sources += [file for file in ROOT.glob("tuner-*/src/main/**/*") if file.is_file() and file.suffix != ".pyc"]
    newest = max(file.stat().st_mtime for file in sources)
    if JAR.is_file() and JAR.stat().st_mtime >= newest:
        return JAR
    if shutil.which(BUILD[0]) is None:
        raise QuickstartFailure("Maven is needed to build the service: no `mvn` on the PATH.")
    print(f"Building the service: {' '.join(BUILD)}", flush=True)
    if subprocess.run(BUILD, cwd=ROOT, stdin=subprocess.DEVNULL, check=False).returncode != 0:
        raise QuickstartFailure("The build failed, see above. It needs a JDK 17 or newer and Maven.")
    if not JAR.is_file():
        raise QuickstartFailure(f"The build made no {JAR}.")
    return JAR


def java() -> str:
    home = os.environ.get("JAVA_HOME")
    return str(Path(home) / "bin" / "java") if home else "java"


def free_port(wanted: int) -> int:
    """The wanted port where nothing listens on it, else some free one."""
    with socket.socket() as probe:
        if probe.connect_ex((LOOPBACK, wanted)) != 0:
            return wanted
    with socket.socket() as chosen:
        chosen.bind((LOOPBACK, 0))
        port = int(chosen.getsockname()[1])
    print(f"Port {wanted} is taken; using {port}.", flush=True)
    return port


@dataclass(frozen=True)
class Client:
    """The few calls of the REST interface that the quickstart makes."""

    address: str

    def get(self, path: str) -> Json:
        return self._call(urllib.request.Request(self.address + path))

    def post(self, path: str, body: Json | None = None) -> Json:
        request = urllib.request.Request(self.address + path, data=json.dumps(body or {}).encode(), method="POST")
        request.add_header("Content-Type", "application/json")
        return self._call(request)

    def items(self, path: str) -> Iterator[Json]:
        """All items of a paged list."""
        cursor = None
        while True:
            page = self.get(f"{path}?limit=100" + (f"&cursor={cursor}" if cursor else ""))
            yield from page["items"]
            cursor = page.get("next_cursor")
            if not cursor:
                return

    def _call(self, request: urllib.request.Request) -> Json:
        # No proxy stands between this machine and itself, whatever the environment says.
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        try:
            with opener.open(request, timeout=30) as response:
                return json.load(response)
        except urllib.error.HTTPError as error:
            raise QuickstartFailure(f"{request.get_method()} {request.full_url}: {problem(error)}") from error


def problem(error: urllib.error.HTTPError) -> str:
    """What a problem document says, or the status where there is none."""
    try:
        document = json.load(error)
        return f"{error.code}, {document.get('detail') or document.get('title')}"
    except (ValueError, AttributeError):
        return f"{error.code} {error.reason}"


class Service:
    """The service as a child process in a session of its own, so that Ctrl-C reaches only its parent."""

    def __init__(self, process: subprocess.Popen[bytes], port: int, log: Path) -> None:
        self.process = process
        self.log = log
        self.address = f"http://{LOOPBACK}:{port}"
        self.client = Client(self.address)

    @classmethod
    def start(cls, jar: Path, python: Path, home: Path, data_root: Path, port: int) -> Service:
        home.mkdir(parents=True, exist_ok=True)
        log = home / "service.log"
        command = [java(), "-jar", str(jar), f"--server.port={port}"]
        command += [f"--loader-tuner.home={home}", f"--loader-tuner.data-roots={data_root}"]
        environment = {**os.environ, "LOADER_TUNER_PYTHON": str(python)}
        try:
            with log.open("wb") as output:
                process = subprocess.Popen(
                    command,
                    env=environment,
                    stdin=subprocess.DEVNULL,
                    stdout=output,
                    stderr=subprocess.STDOUT,
                    start_new_session=True,
                )
        except OSError as error:
            raise QuickstartFailure(f"Java could not be started ({error}): install a JDK 17 or newer.") from error
        return cls(process, port, log)

    def wait_until_ready(self) -> None:
        deadline = time.monotonic() + STARTUP_SECONDS
        pause = 0.1
        while time.monotonic() < deadline:
            self.check_alive()
            try:
                self.client.get("/api/v1/studies")
                return
            except OSError:  # nobody listens yet
                time.sleep(pause)
                pause = min(1.5 * pause, 2.0)
        raise QuickstartFailure(f"The service did not answer within {STARTUP_SECONDS} s. {self.log_tail()}")

    def check_alive(self) -> None:
        if self.process.poll() is not None:
            raise QuickstartFailure(f"The service ended with status {self.process.returncode}. {self.log_tail()}")

    def log_tail(self) -> str:
        lines = self.log.read_text(encoding="utf-8", errors="replace").splitlines()[-30:]
        return "\n".join([f"The end of its log, {self.log}:", *lines])

    def stop(self) -> None:
        if self.process.poll() is None:
            self.process.terminate()
        try:
            self.process.wait(SHUTDOWN_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
