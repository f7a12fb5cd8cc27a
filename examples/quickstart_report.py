"""Puts trials and the answer of a study into words. Used by quickstart.py."""

from __future__ import annotations

from typing import Any

Json = dict[str, Any]

KINDS = {
    "faster": "faster than yours, beyond noise",
    "cheaper": "as fast as the training step can take it, with less",
    "kept": "no measurable improvement, yours is kept",
}
OBJECTIVES = {
    "with_step": "samples per second delivered to the training step",
    "loader_only": "samples per second of the loader alone, without a training step",
}


def describe_config(config: Json) -> str:
    workers = config.get("num_workers", 0)
    parts = [f"{workers} worker{'' if workers == 1 else 's'}"]
    if workers and config.get("prefetch_factor") is not None:
        parts.append(f"prefetch {config['prefetch_factor']}")
    if config.get("batch_size") is not None:
        parts.append(f"batch {config['batch_size']}")
    if config.get("pin_memory"):
        parts.append("pinned")
    if config.get("multiprocessing_context"):
        parts.append(str(config["multiprocessing_context"]))
    return ", ".join(parts)


def interval(value: Json, digits: int) -> str:
    """` [low–high]`, or nothing where there were too few rounds to tell."""
    low, high = value.get("low"), value.get("high")
    return "" if low is None or high is None else f" [{low:.{digits}f}–{high:.{digits}f}]"


def describe_rate(throughput: Json | None) -> str:
    if not throughput:
        return "not measured"
    rate = throughput["samples_per_second"]
    digits = 0 if rate >= 100 else 1
    return f"{rate:.{digits}f}/s{interval(throughput, digits)}"


def describe_rounds(measured: Json | None, kind: str = "") -> str:
    rounds = (measured or {}).get("rounds")
    return "" if rounds is None else f" in {rounds} {kind}round{'' if rounds == 1 else 's'}"


def trial_line(trial: Json, seconds_left: float) -> str:
    state = trial["state"]
    if state == "complete":
        result = describe_rate(trial.get("throughput"))
    else:
        failure = trial.get("failure") or {}
        result = ": ".join(part for part in (state, failure.get("reason"), failure.get("message")) if part)
    line = f"{trial['number']:>4}  {describe_config(trial['config']):<32} {result:<24}"
    return f"{line} {seconds_left:>5.0f} s left" + ("  (unstable)" if trial.get("unstable") else "")


def ratio_line(speedup: Json, kind: str) -> str:
    return f"{speedup['ratio']:.2f}{interval(speedup, 2)}{describe_rounds(speedup, 'paired ')}: {KINDS.get(kind, kind)}"


def tie_line(study: Json) -> str:
    ties = study.get("tie_set") or []
    if len(ties) < 2:
        return "none: nothing else came as close as the noise"
    numbers = ", ".join(str(number) for number in ties)
    return f"trials {numbers} cannot be told apart; the cheapest of them is recommended"


def answer(study: Json) -> list[str]:
    """The recommendation with its evidence."""
    chosen = study.get("recommendation")
    if not chosen:
        return ["No recommendation came of it.", *failure_lines(study.get("failure"))]
    baseline = study.get("baseline") or {}
    throughput = chosen.get("throughput")
    facts = [
        ("yours", f"{describe_config(baseline.get('config') or {})}: {measured(baseline.get('throughput'))}"),
        ("recommended", f"{describe_config(chosen['config'])}: {measured(throughput)}"),
    ]
    if chosen.get("speedup"):
        facts.append(("ratio", ratio_line(chosen["speedup"], chosen["kind"])))
    else:
        facts.append(("outcome", KINDS.get(chosen["kind"], chosen["kind"])))
    facts.append(("ties", tie_line(study)))
    resolvable = study.get("resolvable_difference")
    if resolvable is not None:
        facts.append(("noise", f"this machine could tell differences of {100 * resolvable:.0f} % and more"))
    objective = study.get("objective")
    facts += [("objective", OBJECTIVES.get(objective, str(objective))), ("device", str(study.get("device")))]
    lines = [f"Recommended for {study['dataset']}: {describe_config(chosen['config'])}", ""]
    lines += [f"  {name:<12} {text}" for name, text in facts]
    if chosen.get("reason"):
        lines += ["", f"  {chosen['reason']}"]
    return [*lines, *reasons(study)]


def measured(throughput: Json | None) -> str:
    return describe_rate(throughput) + describe_rounds(throughput)


def reasons(study: Json) -> list[str]:
    lines: list[str] = []
    steps = [step["text"] for step in study.get("explanation") or [] if step.get("text")]
    if steps:
        lines += ["", "How it came to that:", *(f"  - {text}" for text in steps)]
    bottleneck = study.get("bottleneck") or {}
    if bottleneck.get("text"):
        lines += ["", f"The bottleneck: {bottleneck['text']}"]
    notes = study.get("notes") or []
    if notes:
        lines += ["", *(f"Note: {note}" for note in notes)]
    findings = study.get("findings") or []
    if findings:
        lines += ["", "Noticed on the way:"]
        lines += [f"  - {finding.get('evidence')} {finding.get('remedy') or ''}".rstrip() for finding in findings]
    return lines


def failure_lines(failure: Json | None) -> list[str]:
    if not failure:
        return []
    lines = [f"{failure.get('reason')}: {failure.get('message')}"]
    return [*lines, str(failure["advice"])] if failure.get("advice") else lines
