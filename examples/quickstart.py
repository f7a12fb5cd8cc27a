#!/usr/bin/env python3
"""Tunes a small folder of images on this machine, from nothing, in a few minutes.

    python3 examples/quickstart.py

It builds the service, prepares the Python environment, makes some images, starts the service, has it tune the
DataLoader for those images, follows the study and prints the recommendation with its evidence. The service goes on
running until Ctrl-C. Everything it makes lies in the cache folder. Standard library only, Python 3.9 and newer.
"""

from __future__ import annotations

import argparse
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "scripts"), str(ROOT / "examples")]

import python_environment  # noqa: E402
from quickstart_report import answer, trial_line  # noqa: E402
from quickstart_service import Client, QuickstartFailure, Service, build_service, free_port  # noqa: E402

DATASET = "quickstart-images"
IMAGES = 400
FINISHED_TRIAL = {"complete", "pruned", "failed", "skipped"}
FINISHED_STUDY = {"completed", "cancelled", "failed"}
QUIET_SECONDS = 15


def descriptor(folder_name: str, seconds: int, trials: int) -> dict[str, Any]:
    """What to tune: these images, in batches of 64, against loading them in the training process itself."""
    return {
        "name": DATASET,
        "source": {"kind": "image_folder", "path": folder_name, "image_size": 224},
        "baseline": {"batch_size": 64, "num_workers": 0},
        "space": {"batch_size": [64]},
        "budget": {"seconds": seconds, "trials": trials},
    }


def prepare_images(python: Path, folder: Path) -> None:
    marker = folder.with_name(folder.name + ".complete")
    if marker.is_file() and sum(1 for _ in folder.glob("*/*.jpg")) == IMAGES:
        return
    say(f"Making {IMAGES} images in {folder}")
    maker = [str(python), str(ROOT / "examples" / "make_images.py"), str(folder), "--count", str(IMAGES)]
    if subprocess.run(maker, check=False).returncode != 0:
        raise QuickstartFailure("The images could not be made, see above.")


def follow(service: Service, study_id: str) -> dict[str, Any]:
    """Prints each trial as it ends; answers the finished study."""
    client = service.client
    printed: set[int] = set()
    last_word = time.monotonic()
    while True:
        service.check_alive()
        study = client.get(f"/api/v1/studies/{study_id}")
        left = float((study.get("progress") or {}).get("seconds_left") or 0)
        for trial in client.items(f"/api/v1/studies/{study_id}/trials"):
            if trial["state"] in FINISHED_TRIAL and trial["number"] not in printed:
                printed.add(trial["number"])
                last_word = time.monotonic()
                say(trial_line(trial, left))
        if study["state"] in FINISHED_STUDY:
            return study
        if time.monotonic() - last_word > QUIET_SECONDS:
            last_word = time.monotonic()
            doing = "waiting for its turn" if study["state"] == "queued" else "measuring on"
            say(f"      … {doing}, {left:.0f} s left")
        time.sleep(1)


def tune(service: Service, arguments: argparse.Namespace, folder_name: str) -> bool:
    """Runs the study; answers whether a recommendation came of it."""
    client = service.client
    study_id = client.post("/api/v1/studies", descriptor(folder_name, arguments.seconds, arguments.trials))["id"]
    say(f"Study {study_id}: at most {arguments.seconds} s and {arguments.trials} trials")
    try:
        study = follow(service, study_id)
    except KeyboardInterrupt:
        cancel(client, study_id)
        raise
    query = f"dataset={DATASET}&loader=pytorch"
    say("")
    say("\n".join(answer(study)))
    say("")
    say(f"Ask for it again:  curl '{service.address}/api/v1/recommendations?{query}'")
    say(f"All about it:      {service.address}/api/v1/studies/{study_id}")
    return study.get("recommendation") is not None


def cancel(client: Client, study_id: str) -> None:
    """So that the next start does not go on with a study that nobody waits for."""
    say("\nCancelling the study")
    try:
        client.post(f"/api/v1/studies/{study_id}/cancel")
    except (OSError, QuickstartFailure) as error:
        say(f"It could not be cancelled: {error}")


def quickstart(arguments: argparse.Namespace) -> int:
    cache = python_environment.cache_folder() / "quickstart"
    jar = arguments.jar or build_service()
    python = python_environment.interpreter()
    images = cache / "images"
    prepare_images(python, images)
    port = free_port(arguments.port)
    service = Service.start(jar, python, arguments.home or cache / "home", cache, port)
    try:
        service.wait_until_ready()
        say(f"The service answers at {service.address} (its log: {service.log})")
        succeeded = tune(service, arguments, images.name)
        if not arguments.exit:
            wait_for_end(service)
        return 0 if succeeded else 1
    finally:
        service.stop()


def wait_for_end(service: Service) -> None:
    try:
        say(f"\nThe service goes on running at {service.address}. Ctrl-C ends it.")
        while True:
            service.check_alive()
            time.sleep(1)
    except KeyboardInterrupt:
        say("\nStopping the service")


def say(text: str) -> None:
    print(text, flush=True)


def interrupted(*_: object) -> None:
    raise KeyboardInterrupt


def parse(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Tunes a small folder of images on this machine.")
    parser.add_argument("--port", type=int, default=8080, help="where the service listens (default 8080)")
    parser.add_argument("--home", type=Path, help="where the service keeps its data (default: in the cache folder)")
    parser.add_argument("--seconds", type=int, default=150, help="the study's budget of time (default 150)")
    parser.add_argument("--trials", type=int, default=40, help="the study's budget of trials (default 40)")
    parser.add_argument("--jar", type=Path, help="the service's jar, where it is built already (default: build it)")
    parser.add_argument("--exit", action="store_true", help="end when the study has, do not go on serving")
    return parser.parse_args(arguments)


def main() -> int:
    arguments = parse(sys.argv[1:])
    signal.signal(signal.SIGTERM, interrupted)
    try:
        return quickstart(arguments)
    except (QuickstartFailure, python_environment.EnvironmentFailure) as failure:
        print(f"error: {failure}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
