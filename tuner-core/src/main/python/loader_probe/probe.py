"""The probe's main loop: one request at a time, each answered by exactly one ``result`` or ``error``."""

from __future__ import annotations

import os
import sys
from typing import Any, NoReturn

from loader_probe import child_deaths, remains, stacks, workers
from loader_probe.failures import Context, ProbeFailure, classify
from loader_probe.processes import die_with_parent
from loader_probe.protocol import Channel
from loader_probe.supervisor import stack_file
from loader_probe.tidying import noted_processes


class Probe:
    """Holds what ``open`` built. The role says whether samples may be read in this process."""

    def __init__(self, role: str, channel: Channel, work: str, usable_cpus: int) -> None:
        self._inline = role == "inline"
        self._channel = channel
        self._work = work
        self._session: Any = None
        self._cpus = usable_cpus
        self._commands = {
            "open": self._open,
            "check": self._check,
            "round": self._round,
            "step_alone": self._step_alone,
            "deliveries": self._deliveries,
            "examine": self._examine,
            "epoch_gap": self._epoch_gap,
        }

    def serve(self) -> None:
        """Answers requests until there are no more."""
        for request in self._channel.requests():
            try:
                self._answer(request)
            except BaseException as error:
                child_deaths.ignore()
                # SystemExit and KeyboardInterrupt too: user code must not end the probe quietly.
                source = self._session and self._session.source
                failure = classify(error, Context(dataset=source and source.dataset, own=source and source.own))
                self._channel.send({"id": request.get("id"), "error": failure.as_json()})

    def _answer(self, request: dict[str, Any]) -> None:
        command = self._commands.get(request.get("command", ""))
        if command is None:
            raise ProbeFailure("runner_error", f"unknown command {request.get('command')!r}")
        if (command == self._open) == (self._session is not None):
            raise ProbeFailure("runner_error", "open comes first, and only once")
        try:
            command(request)
        except KeyError as error:
            # A KeyError of user code carries its frames; one of ours says which field is missing.
            if _is_ours(error):
                raise ProbeFailure("runner_error", f"the request lacks {error}") from None
            raise

    def _open(self, request: dict[str, Any]) -> None:
        _require_torch()
        from loader_probe.session import open_session

        session, facts = open_session(request, self._work, stack_file(self._work), self._cpus)
        self._session = session
        self._channel.send({"id": request["id"], "result": facts})

    def _check(self, request: dict[str, Any]) -> None:
        self._require_inline("check")
        from loader_probe.checks import check

        self._channel.send({"id": request["id"], "result": check(self._session, request["batch_size"])})

    def _step_alone(self, request: dict[str, Any]) -> None:
        self._require_inline("step_alone")
        from loader_probe.checks import step_alone

        result = step_alone(self._session, request["config"], float(request["seconds"]))
        self._channel.send({"id": request["id"], "result": result})

    def _round(self, request: dict[str, Any]) -> None:
        running = _kind_of_round(self._session)(self._session, request, self._channel.send)
        self._require_role_for(request["config"], "a round")
        self._channel.send({"id": request["id"], "result": running.run()})
        self._channel.send({"id": request["id"], **running.close()})

    def _deliveries(self, request: dict[str, Any]) -> None:
        self._require_role_for(request["config"], "a delivery")
        from loader_probe.deliveries import Deliveries

        reading = Deliveries(self._session, request)
        self._channel.send({"id": request["id"], "result": reading.read()})
        self._channel.send({"id": request["id"], **reading.close()})

    def _examine(self, request: dict[str, Any]) -> None:
        self._require_warm("examine")
        from loader_probe.examination import examine

        result = examine(self._session, request.get("multiprocessing_context"))
        self._channel.send({"id": request["id"], "result": result})

    def _epoch_gap(self, request: dict[str, Any]) -> None:
        self._require_role_for(request["config"], "a pass")
        from loader_probe.epochs import epoch_gap
        from loader_probe.loading import LoaderConfig

        config = LoaderConfig.of(request["config"])
        result = epoch_gap(self._session, config, int(request.get("seed", 0)))
        self._channel.send({"id": request["id"], "result": result})

    def _require_role_for(self, config: dict[str, Any], what: str) -> None:
        if config["num_workers"] == 0:
            self._require_inline(f"{what} without workers")
        else:
            self._require_warm(f"{what} with workers")

    def _require_warm(self, what: str) -> None:
        if self._inline:
            raise ProbeFailure(
                "runner_error",
                f"{what} is refused here: workers would inherit what samples read in this process opened",
            )

    def _require_inline(self, what: str) -> None:
        if not self._inline:
            raise ProbeFailure(
                "runner_error", f"{what} reads samples, which this process never does: use an inline one"
            )


def _kind_of_round(session: Any) -> Any:
    """Imported on demand: they import torch."""
    if session.source.rank is None:
        from loader_probe.rounds import Round

        return Round
    from loader_probe.ranked_round import RankedRound

    return RankedRound


def _is_ours(error: BaseException) -> bool:
    tb = error.__traceback__
    while tb is not None and tb.tb_next is not None:
        tb = tb.tb_next
    return tb is not None and os.path.dirname(tb.tb_frame.f_code.co_filename) == os.path.dirname(__file__)


def _require_torch() -> None:
    """Imports torch; ``environment_error`` with what to do where that is not possible."""
    try:
        import torch.utils.data  # noqa: F401
    except ImportError as error:
        missing = isinstance(error, ModuleNotFoundError) and (error.name or "").partition(".")[0] == "torch"
        said = "has no torch" if missing else f"cannot import torch: {error}"
        raise ProbeFailure(
            "environment_error",
            f"the Python interpreter {sys.executable} {said}. Install it there ({sys.executable} -m pip install torch)"
            " or name the interpreter that your training uses",
            {"interpreter": sys.executable, "missing": "torch" if missing else error.name},
            exception=type(error).__name__,
        ) from error


def main() -> None:
    """Entry point; the supervisor passes role, descriptors, its own process id and a private folder."""
    role, request_fd, answer_fd, supervisor, work = sys.argv[1:6]
    del sys.argv[1:]
    # Before torch or user code is imported: either may narrow it.
    usable_cpus = len(os.sched_getaffinity(0))
    serve(role, int(request_fd), int(answer_fd), int(supervisor), work, usable_cpus)


def serve(role: str, request_fd: int, answer_fd: int, supervisor: int, work: str, usable_cpus: int) -> NoReturn:
    """Is the probe of a supervisor, until there are no more requests.

    ``usable_cpus`` are those of before torch was imported.
    """
    die_with_parent(supervisor)
    channel = Channel(request_fd, answer_fd)
    noted = os.open(noted_processes(work), os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    remains.note_process(noted)
    remains.mark_names(os.path.basename(work))
    workers.watch_forks(noted)
    stacks.install(stack_file(work))
    # The probe may be killed at any moment: what was printed must be in the log by then.
    sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]
    Probe(role, channel, work, usable_cpus).serve()
    # No more requests: the supervisor is gone or wants the end. User code left running must not delay it.
    sys.stdout.flush()
    os._exit(0)
