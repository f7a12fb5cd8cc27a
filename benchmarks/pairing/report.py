"""The figures of the pairing experiment: what a second of each way resolves, and whether the ways agree."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import NormalDist, fmean, median
from typing import Any

REFERENCE = "rebuilt"
OTHERS = ("settled", "kept", "short")
BUSY_CORES = 0.12


@dataclass(frozen=True)
class Figures:
    """One way of measuring one pair.

    A contrast is the log ratio of a config's rate to that of the first config; with two configs there is one a round.
    """

    blocks: list[dict[str, Any]]

    @property
    def rounds(self) -> list[dict[str, Any]]:
        return [entry for block in self.blocks for entry in block["rounds"]]

    @property
    def contrasts(self) -> list[list[list[float]]]:
        """By contrast, then by block, then by round."""
        count = len(self.rounds[0]["rates"]) - 1
        return [
            [
                [math.log(entry["rates"][i + 1] / entry["rates"][0]) for entry in block["rounds"]]
                for block in self.blocks
            ]
            for i in range(count)
        ]

    @property
    def seconds(self) -> float:
        """Of one paired round, opening and closing left out."""
        return fmean(entry["seconds"] for entry in self.rounds)

    @property
    def seconds_in_all(self) -> float:
        """Of one paired round with its share of opening and closing."""
        return sum(block["seconds"] for block in self.blocks) / len(self.rounds)

    @property
    def variance(self) -> float:
        """Of a round's contrast about its mean over all blocks, so what differs from block to block is in it."""
        return fmean(spread(flat(contrast)) for contrast in self.contrasts)

    @property
    def within(self) -> float:
        """The same about each block's own mean."""
        squares = [sum((v - fmean(b)) ** 2 for v in b) for contrast in self.contrasts for b in contrast]
        degrees = sum(len(b) - 1 for contrast in self.contrasts for b in contrast)
        return sum(squares) / degrees

    @property
    def successive(self) -> list[float]:
        """Products of successive deviations over the mean square: their mean is the lag-1 correlation."""
        products: list[float] = []
        for contrast in self.contrasts:
            centre = fmean(flat(contrast))
            square = fmean((value - centre) ** 2 for value in flat(contrast))
            for block in contrast:
                products += [(a - centre) * (b - centre) / square for a, b in zip(block, block[1:])]
        return products

    @property
    def block_means(self) -> list[list[float]]:
        return [[fmean(block) for block in contrast] for contrast in self.contrasts]

    @property
    def resolution(self) -> float:
        """1 / (variance x seconds per round): how much a second tells if rounds are independent."""
        return 1 / (self.variance * self.seconds)

    @property
    def block_variance(self) -> float:
        """Variance of a block's mean times the block's seconds: dependent rounds and opening are counted."""
        return fmean(map(spread, self.block_means)) * fmean(block["seconds"] for block in self.blocks)

    @property
    def excess(self) -> float:
        """How many times as much the means of blocks vary as the rounds within them explain; 1 if independent."""
        explained = self.within * fmean(1 / len(block["rounds"]) for block in self.blocks)
        return fmean(map(spread, self.block_means)) / explained

    @property
    def centre(self) -> list[float]:
        return [fmean(flat(contrast)) for contrast in self.contrasts]


def flat(nested: Sequence[Sequence[float]]) -> list[float]:
    return [value for values in nested for value in values]


def spread(values: Sequence[float]) -> float:
    centre = fmean(values)
    return sum((value - centre) ** 2 for value in values) / (len(values) - 1)


def student(degrees: int) -> float:
    """The 97.5 % point of Student's t, by the Cornish-Fisher expansion: 3 % too small for 2 degrees, less for more."""
    z = NormalDist().inv_cdf(0.975)
    return (
        z
        + (z**3 + z) / (4 * degrees)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * degrees**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * degrees**3)
    )


def percent(log: float) -> str:
    return f"{100 * math.expm1(log):+.1f} %"


def factor(log: float, half: float) -> str:
    return f"{math.exp(log):.2f} [{math.exp(log - half):.2f}-{math.exp(log + half):.2f}]"


def mean_with_interval(values: Sequence[float]) -> tuple[float, float]:
    if len(values) < 3:
        return fmean(values), math.inf
    return fmean(values), student(len(values) - 1) * math.sqrt(spread(values) / len(values))


def table(pairs: dict[str, list[dict[str, Any]]]) -> str:
    """Everything, as text."""
    every = {name: by_way(blocks) for name, blocks in pairs.items()}
    figures = {
        name: ways for name, ways in every.items() if all(len(ways[way].blocks) > 1 for way in (REFERENCE, *OTHERS[:2]))
    }
    rounds = [entry for blocks in pairs.values() for block in blocks for entry in block["rounds"]]
    busy = sum(entry["foreign_cores"] > BUSY_CORES for entry in rounds)
    lines = [f"{busy} of {len(rounds)} rounds left out: other processes used more than {BUSY_CORES} cores"]
    left_out = sorted(every.keys() - figures.keys())
    if left_out:
        lines.append(f"left out, since a way has fewer than two quiet blocks: {', '.join(left_out)}")
    lines += per_pair(figures)
    for way in OTHERS:
        having = {name: ways for name, ways in figures.items() if way in ways}
        if having:
            lines += ["", f"{way} against {REFERENCE}, over {len(having)} pairs", *against(having, way)]
    return "\n".join(lines)


def by_way(blocks: list[dict[str, Any]]) -> dict[str, Figures]:
    """The measured ways, and `short` where it was recorded: rebuilt rounds cut to the window of loaders kept open."""
    undisturbed = [block for block in map(quiet, blocks) if len(block["rounds"]) > 1]
    ways = {way: [b for b in undisturbed if b["way"] == way] for way in (REFERENCE, "settled", "kept")}
    cut = [shortened(b) for b in ways[REFERENCE] if all(entry.get("short_rates") for entry in b["rounds"])]
    if len(cut) > 1:
        ways["short"] = cut
    return {way: Figures(of) for way, of in ways.items()}


def quiet(block: dict[str, Any]) -> dict[str, Any]:
    """The block without the rounds in which other processes used the CPU; the tuner measures these again."""
    kept = [entry for entry in block["rounds"] if entry["foreign_cores"] <= BUSY_CORES]
    lost = sum(entry["seconds"] for entry in block["rounds"]) - sum(entry["seconds"] for entry in kept)
    return {**block, "rounds": kept, "seconds": block["seconds"] - lost}


def shortened(block: dict[str, Any]) -> dict[str, Any]:
    rounds = [
        {**entry, "rates": entry["short_rates"], "seconds": entry["seconds"] - entry["short_saves"]}
        for entry in block["rounds"]
    ]
    saved = sum(entry["short_saves"] for entry in block["rounds"])
    return {**block, "way": "short", "rounds": rounds, "seconds": block["seconds"] - saved}


def per_pair(figures: dict[str, dict[str, Figures]]) -> list[str]:
    head = (
        "pair               way      rounds  s/round  with opening  rounds/min  sd      within  lag 1  "
        "resolution  halves  shared MB  mean ratio"
    )
    lines = [head]
    for name, ways in figures.items():
        for way, seen in ways.items():
            halves = median(value for entry in seen.rounds for value in entry["halves"])
            shared = max(block["shared_memory_bytes"] for block in seen.blocks) / 1e6
            lines.append(
                f"{name:18} {way:8} {len(seen.rounds):6}  {seen.seconds:7.2f}  {seen.seconds_in_all:12.2f}  "
                f"{60 / seen.seconds:10.1f}  {100 * math.sqrt(seen.variance):4.1f} %  "
                f"{100 * math.sqrt(seen.within):4.1f} %  {fmean(seen.successive):+5.2f}  "
                f"{seen.resolution / ways[REFERENCE].resolution:10.2f}  {halves:6.2f}  {shared:9.1f}  "
                + ", ".join(f"{math.exp(centre):.3f}" for centre in seen.centre)
            )
    return lines


def against(figures: dict[str, dict[str, Figures]], way: str) -> list[str]:
    def gain(of: Callable[[Figures], float]) -> str:
        logs = [math.log(of(ways[way]) / of(ways[REFERENCE])) for ways in figures.values()]
        return factor(*mean_with_interval(logs))

    shifts, levels = [], []
    for ways in figures.values():
        kept, rebuilt = ways[way], ways[REFERENCE]
        shifts += [a - b for a, b in zip(kept.centre, rebuilt.centre)]
        for i in range(len(kept.rounds[0]["rates"])):
            rate = [fmean(math.log(entry["rates"][i]) for entry in seen.rounds) for seen in (kept, rebuilt)]
            levels.append(rate[0] - rate[1])
    lags = [fmean(flat([ways[seen].successive for ways in figures.values()])) for seen in (way, REFERENCE)]
    excess = [fmean(ways[seen].excess for ways in figures.values()) for seen in (way, REFERENCE)]
    shift, shift_half = mean_with_interval(shifts)
    level, level_half = mean_with_interval(levels)
    return [
        f"  rounds per second                {gain(lambda seen: 1 / seen.seconds)}",
        f"  the same, opening counted        {gain(lambda seen: 1 / seen.seconds_in_all)}",
        f"  variance of a round's log ratio  {gain(lambda seen: seen.variance)}",
        f"  resolution per second            {gain(lambda seen: seen.resolution)}  (rounds taken as independent)",
        f"  lag-1 correlation of rounds      {lags[0]:+.2f}, {REFERENCE} {lags[1]:+.2f}",
        f"  blocks vary more than rounds say {excess[0]:.1f} times, {REFERENCE} {excess[1]:.1f}  (variance)",
        f"  resolution per second, by blocks {gain(lambda seen: 1 / seen.block_variance)}  (all counted)",
        f"  log ratios differ by             {percent(shift)} [{percent(shift - shift_half)}, "
        f"{percent(shift + shift_half)}] on average; furthest {percent(max(shifts, key=abs))}",
        f"  rates themselves differ by       {percent(level)} [{percent(level - level_half)}, "
        f"{percent(level + level_half)}] on average; furthest {percent(max(levels, key=abs))}",
        "  log ratios by pair               " + "; ".join(shift_of(name, ways, way) for name, ways in figures.items()),
    ]


def shift_of(name: str, ways: dict[str, Figures], way: str) -> str:
    """How the way's log ratio differs from the reference's, with the error of the two means of block means."""
    parts = []
    for i, (a, b) in enumerate(zip(ways[way].centre, ways[REFERENCE].centre)):
        means = [ways[seen].block_means[i] for seen in (way, REFERENCE)]
        error = math.sqrt(sum(spread(values) / len(values) for values in means))
        degrees = sum(len(values) - 1 for values in means)
        parts.append(f"{percent(a - b)} ± {100 * student(degrees) * error:.1f}")
    return f"{name} {', '.join(parts)}"
