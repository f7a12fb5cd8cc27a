"""Other ways of searching, each told only what the replayed machine measured.

Each returns the config it recommends and when it was done. One round a trial; the best observed is recommended. A trial
that the end of the budget interrupts is finished and counts.
"""

from __future__ import annotations

import math
import random
import statistics
from collections.abc import Callable, Iterable, Iterator

from replay import PINNED, Config, Job, Machine, Seen

# Where a search ended: the recommended config, and the seconds it took.
End = tuple[Config, float]
Trials = list[tuple[Config, Seen]]

GUARD_ROUNDS = 5
# Student's t with four degrees of freedom, one-sided 95 %.
T_95 = 2.132


def tpe_proposals(job: Job, machine: Machine, seed: int, count: int, budget: float = math.inf) -> list[Config]:
    """What Optuna's TPE proposes, told each trial's rate before the next. A shorter search is a beginning of it.

    Args:
        count: at most so many.
        budget: seconds; nothing is proposed after them.
    """
    import optuna

    optuna.logging.set_verbosity(optuna.logging.ERROR)
    study = optuna.create_study(direction="maximize", sampler=optuna.samplers.TPESampler(seed=seed))
    workers, prefetch, batches = ([*dict.fromkeys(config[axis] for config in job.configs)] for axis in range(3))
    prefetch = [factor for factor in prefetch if factor > 0]
    machine.begin(seed)
    proposals: list[Config] = []
    while len(proposals) < count and machine.elapsed < budget:
        trial = study.ask()
        count_of_workers = trial.suggest_categorical("num_workers", workers)
        factor = trial.suggest_categorical("prefetch_factor", prefetch) if count_of_workers else 0
        batch = trial.suggest_categorical("batch_size", batches) if len(batches) > 1 else batches[0]
        config: Config = (count_of_workers, factor, batch)
        if any(PINNED in known for known in job.configs) and trial.suggest_categorical("pin_memory", [False, True]):
            config = (*config, PINNED)
        study.tell(trial, machine.measure(config).rate)
        proposals.append(config)
    return proposals


def shuffled(job: Job, seed: int) -> list[Config]:
    return random.Random(seed).sample(job.configs, len(job.configs))


def search(machine: Machine, proposals: Iterable[Config], goes_on: Callable[[Trials], bool]) -> Trials:
    trials: Trials = []
    pending: Iterator[Config] = iter(proposals)
    while goes_on(trials):
        config = next(pending, None)
        if config is None:
            break
        trials.append((config, machine.measure(config)))
    return trials


def best(trials: Trials) -> Config:
    return max(trials, key=lambda trial: trial[1].rate)[0]


def unguarded(machine: Machine, seed: int, proposals: Iterable[Config], budget: float) -> End:
    machine.begin(seed)
    trials = search(machine, proposals, lambda seen: not seen or seen[-1][1].elapsed < budget)
    return best(trials), machine.elapsed


def guarded(machine: Machine, seed: int, proposals: Iterable[Config], budget: float, baseline: Config) -> End:
    """Leaves time for the guard: as if a round of the baseline took as long as one of the best config."""

    def goes_on(seen: Trials) -> bool:
        if not seen:
            return True
        leading = max(seen, key=lambda trial: trial[1].rate)[1]
        return seen[-1][1].elapsed + 2 * GUARD_ROUNDS * leading.seconds < budget

    machine.begin(seed)
    found = best(search(machine, proposals, goes_on))
    if found == baseline:
        return baseline, machine.elapsed
    order = random.Random(seed)
    log_ratios = []
    for _ in range(GUARD_ROUNDS):
        pair = {config: machine.measure(config) for config in order.sample([found, baseline], 2)}
        log_ratios.append(math.log(pair[found].rate / pair[baseline].rate))
    bound = statistics.mean(log_ratios) - T_95 * statistics.stdev(log_ratios) / math.sqrt(GUARD_ROUNDS)
    return (found if bound > 0 else baseline), machine.elapsed
