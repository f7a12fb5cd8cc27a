#!/usr/bin/env python3
"""Runs tests on JDK 25 or newer, when the build runs on an older one and such a JDK is on this machine.

Run by Maven at the end of `mvn verify`: the unit tests of tuner-core and those tests of tuner-service that are tagged
`jdk25`, from the classes that the build has compiled for Java 17. What came of it is left for summary.py.

A JDK is looked for in JAVA_25_HOME and where Linux distributions, SDKMAN, IDEs and macOS put them.
Standard library only, Python 3.9 and newer.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WANTED = 25
HOME_VARIABLES = ("JAVA_25_HOME", "JAVA_HOME_25_X64", "JAVA_HOME_25_ARM64")
PATTERNS = (
    (Path("/usr/lib/jvm"), "*"),
    (Path.home() / ".sdkman" / "candidates" / "java", "*"),
    (Path.home() / ".jdks", "*"),
    (Path("/Library/Java/JavaVirtualMachines"), "*/Contents/Home"),
)
TAG = "jdk25"
TIMEOUT_SECONDS = 900


@dataclass(frozen=True)
class Jdk:
    home: Path
    version: str

    @property
    def major(self) -> int:
        return int(re.split(r"[.\-+]", self.version, maxsplit=1)[0])

    @property
    def java(self) -> Path:
        return self.home / "bin" / "java"


@dataclass(frozen=True)
class Suite:
    """Tests of one module, selected by the names of their classes and perhaps a tag."""

    module: str
    description: str
    class_names: str
    tag: str | None = None

    @property
    def target(self) -> Path:
        return ROOT / self.module / "target"

    @property
    def reports(self) -> Path:
        return self.target / "newer-jdk-reports"


SUITES = (
    Suite("tuner-core", "unit tests of tuner-core", r".*Test"),
    Suite("tuner-service", f"tests of tuner-service tagged {TAG}", r".*(Test|IT)", TAG),
)


def version_of(home: Path) -> str | None:
    """The version of the JDK in that folder; none where there is no usable one."""
    java = home / "bin" / "java"
    if not os.access(java, os.X_OK):
        return None
    release = home / "release"
    text = release.read_text(encoding="utf-8", errors="replace") if release.is_file() else ""
    found = re.search(r'^JAVA_VERSION="(\d[^"]*)"', text, re.MULTILINE)
    if found is None:
        try:
            answer = subprocess.run([java, "-version"], capture_output=True, text=True, timeout=30, check=False)
        except (OSError, subprocess.TimeoutExpired):
            return None
        found = re.search(r'version "(\d[^"]*)"', answer.stderr)
    return found.group(1) if found else None


def candidates() -> Iterator[Path]:
    for variable in HOME_VARIABLES:
        if os.environ.get(variable):
            yield Path(os.environ[variable])
    for folder, pattern in PATTERNS:
        yield from sorted(folder.glob(pattern))


def find_jdk() -> Jdk | None:
    """The one nearest to the wanted version, the first found among equals."""
    found = [Jdk(home, version) for home in candidates() if (version := version_of(home)) is not None]
    fitting = [jdk for jdk in found if jdk.major >= WANTED]
    return min(fitting, key=lambda jdk: jdk.major, default=None)


def command(jdk: Jdk, suite: Suite) -> list[str]:
    dependencies = (suite.target / "test-classpath.txt").read_text(encoding="utf-8").strip()
    class_path = [str(suite.target / "test-classes"), str(suite.target / "classes"), dependencies]
    properties = suite.target / "python-environment.properties"
    defined = properties.read_text(encoding="utf-8").split() if properties.is_file() else []
    call = [str(jdk.java), "--enable-native-access=ALL-UNNAMED", f"-Dbasedir={ROOT / suite.module}"]
    call += [f"-D{definition}" for definition in defined if "=" in definition]
    call += ["-cp", os.pathsep.join(class_path), "org.junit.platform.console.ConsoleLauncher", "execute"]
    call += [f"--scan-class-path={suite.target / 'test-classes'}", f"--include-classname={suite.class_names}"]
    call += ["--disable-banner", "--disable-ansi-colors", "--details=summary", f"--reports-dir={suite.reports}"]
    return [*call, f"--include-tag={suite.tag}"] if suite.tag else call


def run(jdk: Jdk, suite: Suite) -> tuple[bool, str]:
    """Whether all that ran passed, and a sentence about it. The tests' own output is shown only where it matters."""
    if not (suite.target / "test-classes").is_dir():
        return True, f"no {suite.description}"
    shutil.rmtree(suite.reports, ignore_errors=True)
    try:
        answer = subprocess.run(
            command(jdk, suite),
            cwd=ROOT / suite.module,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            timeout=TIMEOUT_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return False, f"{suite.description}: stopped, not done after {TIMEOUT_SECONDS} s"
    except OSError as error:
        return False, f"{suite.description}: could not be started ({error})"
    ran, skipped = count(suite.reports)
    if answer.returncode != 0:
        print(answer.stdout)
        return False, f"{suite.description}: FAILED ({ran} ran)"
    if ran == 0:
        return True, f"no {suite.description}"
    return True, f"{ran} {suite.description} passed" + (f", {skipped} skipped" if skipped else "")


def count(reports: Path) -> tuple[int, int]:
    """How many tests ran, and how many were skipped."""
    suites = [ElementTree.parse(file).getroot() for file in reports.glob("TEST-*.xml")]
    skipped = sum(int(suite.get("skipped", "0")) for suite in suites)
    return sum(int(suite.get("tests", "0")) for suite in suites) - skipped, skipped


def main() -> int:
    parser = argparse.ArgumentParser(description=f"Runs tests on JDK {WANTED} or newer.")
    parser.add_argument("--java-home", type=Path, required=True, help="the JDK that the build runs on")
    parser.add_argument("--note", type=Path, required=True, help="the file to leave a line for the summary in")
    arguments = parser.parse_args()

    own = version_of(arguments.java_home)
    jdk = find_jdk()
    passed = True
    if own is not None and Jdk(arguments.java_home, own).major >= WANTED:
        line = f"the whole build ran on {own}"
    elif jdk is None:
        line = "not found on this machine, not run"
    else:
        print(f"Running tests on JDK {jdk.version} in {jdk.home}", flush=True)
        results = [run(jdk, suite) for suite in SUITES]
        passed = all(result for result, _ in results)
        line = f"on {jdk.version}: " + "; ".join(sentence for _, sentence in results)
    print(f"JDK {WANTED}: {line}")
    arguments.note.parent.mkdir(parents=True, exist_ok=True)
    arguments.note.write_text(line + "\n", encoding="utf-8")
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main())
