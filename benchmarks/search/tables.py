"""Results to the tables of docs/search.md, targets beside figures."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Results = list[dict[str, Any]]
Column = tuple[str, Callable[[dict[str, Any]], str]]

NAMES = {
    "one_at_a_time": "**one_at_a_time**",
    "genetic": "genetic + guard",
    "random": "random + guard",
    "exhaustive": "exhaustive, one pass",
}
MOST_MEDIAN_REGRET = {"jpeg": 2.3, "jpeg_step": 1.3, "mmap": 0.0}
MOST_ABOVE_MEDIAN = 0.5
LEAST_KEPT = {0.10: 0.60, 0.25: 0.90, 0.50: 0.95}
# Figures are compared as they are printed, to a tenth.
TENTH = 0.05


def table(columns: list[Column], found: Results) -> str:
    lines = ["| " + " | ".join(name for name, _ in columns) + " |", "|" + "---|" * len(columns)]
    lines += ["| " + " | ".join(cell(result) for _, cell in columns) + " |" for result in found]
    return "\n".join(lines) + "\n"


def optimiser(result: dict[str, Any]) -> str:
    return NAMES.get(result["optimiser"], result["optimiser"])


def spread(name: str, digits: int) -> Callable[[dict[str, Any]], str]:
    return lambda result: " / ".join(f"{result[name][at]:.{digits}f}" for at in ("median", "p90", "p95"))


def percent(name: str) -> Callable[[dict[str, Any]], str]:
    return lambda result: f"{100 * result[name]:.1f}"


def verdict(met: bool) -> str:
    return "met" if met else "**missed**"


def only_ours(check: Callable[[dict[str, Any]], bool]) -> Callable[[dict[str, Any]], str]:
    return lambda result: verdict(check(result)) if result["optimiser"] == "one_at_a_time" else ""


def config(result: dict[str, Any]) -> str:
    return ",".join(str(value) for value in result["baseline"])


REGRET: Column = ("regret %: median / p90 / p95", spread("regret_percent", 1))
SECONDS: Column = ("seconds: median / p90 / p95", spread("seconds", 0))
LOSES: Column = ("over 3 % slower than the baseline, %", percent("loses_over_three_percent"))
KEPT: Column = ("half of the gain found and kept, %", percent("half_of_gain"))


def small_and_narrow(result: dict[str, Any]) -> bool:
    regret = result["regret_percent"]
    return (
        regret["median"] <= MOST_MEDIAN_REGRET[result["job"]] + TENTH
        and regret["p90"] - regret["median"] <= MOST_ABOVE_MEDIAN
        and result["seconds"]["p90"] <= result["budget"]
    )


def fixed_batch(found: Results) -> str:
    columns = [
        ("surface", lambda result: result["job"]),
        ("baseline", config),
        ("", optimiser),
        REGRET,
        SECONDS,
        LOSES,
        ("target", only_ours(small_and_narrow)),
    ]
    return table(columns, in_order(found))


def in_order(found: Results) -> Results:
    jobs = list(MOST_MEDIAN_REGRET)
    return sorted(found, key=lambda result: jobs.index(result["job"]))


def slow_baselines(found: Results) -> str:
    """One line a surface, distance and budget: only the share that found and kept half of the gain."""
    cases: dict[tuple[Any, ...], dict[str, dict[str, Any]]] = {}
    for result in in_order(found):
        case = (result["job"], result["below"], result["budget"])
        cases.setdefault(case, {})[result["optimiser"]] = result
    shown = ["one_at_a_time", "genetic", "random", "TPE + guard", "TPE", "exhaustive"]
    columns: list[Column] = [
        ("surface", lambda line: line["case"][0]),
        ("below the best", lambda line: f"{100 * line['case'][1]:.0f} %"),
        ("budget", lambda line: f"{line['case'][2]} s"),
    ]
    columns += [(NAMES.get(name, name), lambda line, name=name: kept(line, name)) for name in shown]
    columns += [
        ("target", lambda line: f"{100 * LEAST_KEPT[line['case'][1]]:.0f}"),
        (
            "",
            lambda line: verdict(line["one_at_a_time"]["half_of_gain"] >= LEAST_KEPT[line["case"][1]]),
        ),
    ]
    return table(columns, [{"case": case, **by_name} for case, by_name in cases.items()])


def kept(line: dict[str, Any], name: str) -> str:
    if name not in line:
        return "not run"
    return f"{100 * line[name]['half_of_gain']:.1f} ({line[name]['seconds']['median']:.0f} s)"


def free_batch(found: Results) -> str:
    def met(result: dict[str, Any]) -> bool:
        return result["half_of_gain"] >= 0.60 and result["loses_over_three_percent"] <= 0.025

    return table([("", optimiser), REGRET, SECONDS, KEPT, LOSES, ("target", only_ours(met))], found)


def quiet(found: Results) -> str:
    searches = [result for result in found if "curve" not in result]
    ours = next(result for result in searches if result["optimiser"] == "one_at_a_time")
    curve = next(result["curve"] for result in found if "curve" in result)

    def small(result: dict[str, Any]) -> bool:
        return result["regret_percent"]["median"] <= 2 and result["regret_percent"]["p90"] <= 5

    text = table([("", optimiser), REGRET, SECONDS, KEPT, LOSES, ("target", only_ours(small))], searches)
    shown = [point for point in curve if point["seconds"] in (50, 100, 150, 200, 250, 300, 400, 500, 600)]
    text += "\nTPE without a guard, had it been stopped after so many seconds:\n\n"
    text += table(
        [
            ("seconds", lambda point: str(point["seconds"])),
            (
                "regret %: median / p90 / p95",
                lambda point: f"{point['median']:.1f} / {point['p90']:.1f} / {point['p95']:.1f}",
            ),
        ],
        shown,
    )
    text += "\n"
    seconds = ours["seconds"]["median"]
    for at in ("median", "p90"):
        wanted = ours["regret_percent"][at]
        equal = next((point["seconds"] for point in curve if point[at] <= wanted), None)
        if equal is None:
            text += f"* TPE's {at} did not come down to ours ({wanted:.1f} %) in {curve[-1]['seconds']} s: met.\n"
        else:
            text += (
                f"* TPE's {at} comes down to ours ({wanted:.1f} %) after {equal} s; ours takes {seconds:.0f} s"
                f" (median), {100 * seconds / equal:.0f} % of that. Target, at most half:"
                f" {verdict(seconds <= equal / 2)}.\n"
            )
    return text


def models(found: Results) -> str:
    def share(result: dict[str, Any], at: str) -> float:
        return 100 * result["seconds"][at] / result["exhaustive_seconds"]

    def met(result: dict[str, Any]) -> bool:
        regret = result["regret_percent"]
        return regret["median"] <= 2 and regret["p95"] <= 5 and share(result, "p95") <= 8

    def other(name: str) -> Callable[[dict[str, Any]], str]:
        regrets = {result["job"]: result["regret_percent"] for result in found if result["optimiser"] == name}

        def text(result: dict[str, Any]) -> str:
            regret = regrets.get(result["job"])
            return f"{regret['median']:.1f} / {regret['p95']:.1f}" if regret else "not run"

        return text

    columns = [
        ("model", lambda result: result["job"]),
        ("configs", lambda result: str(result["configs"])),
        REGRET,
        ("% of a pass: median / p95", lambda result: f"{share(result, 'median'):.1f} / {share(result, 'p95'):.1f}"),
        ("a pass, s", lambda result: f"{result['exhaustive_seconds']:.0f}"),
        ("best is … times the baseline", lambda result: f"{1 + result['available_gain_percent'] / 100:.1f}"),
        ("TPE: median / p95", other("TPE")),
        ("random: median / p95", other("random, unguarded")),
        ("target", only_ours(met)),
    ]
    ordered = sorted(
        (result for result in found if result["optimiser"] == "one_at_a_time"), key=lambda result: result["cores"]
    )
    reached = sum(met(result) for result in ordered)
    return table(columns, ordered) + f"\nMet in {reached} of {len(ordered)}.\n"


TABLES: dict[str, Callable[[Results], str]] = {
    "a": fixed_batch,
    "b": slow_baselines,
    "c": free_batch,
    "d": quiet,
    "e": models,
}
