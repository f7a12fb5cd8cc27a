package io.loadertuner.core.tuning;

import io.loadertuner.core.loader.LoaderFacts;
import io.loadertuner.core.loader.TrialFailedException;
import io.loadertuner.core.measure.Throughput;
import io.loadertuner.core.measure.TimedRate;
import io.loadertuner.core.space.LoaderConfig;
import io.loadertuner.core.study.Ask;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The rounds of a canary: both configs in each, in turns of first and second. */
final class CanaryRounds {
    private static final int LEAST_ROUNDS = 3;
    private static final int MOST_ROUNDS = 20;

    private final RoundRunner runner;
    private final LoaderConfig incumbent;
    private final LoaderConfig baseline;
    private final Map<LoaderConfig, List<TimedRate>> rates = new LinkedHashMap<>();
    private boolean baselineFailed;
    private int busy;
    private int rounds;

    CanaryRounds(RoundRunner runner, LoaderConfig incumbent, LoaderConfig baseline) {
        this.runner = runner;
        this.incumbent = incumbent;
        this.baseline = baseline;
    }

    Canary measure(LoaderFacts facts, Stopwatch stopwatch, double seconds) throws InterruptedException {
        try {
            measureInTurn(stopwatch, seconds);
        } catch (TrialFailedException incumbentFails) {
            return Canary.failed(facts, incumbentFails.failure());
        }
        boolean compared = !baseline.equals(incumbent) && !baselineFailed;
        return new Canary(facts, throughput(incumbent), compared ? throughput(baseline) : null, busy, rounds, null);
    }

    private Throughput throughput(LoaderConfig config) {
        return Throughput.of(rates.getOrDefault(config, List.of()));
    }

    private void measureInTurn(Stopwatch stopwatch, double seconds) throws TrialFailedException, InterruptedException {
        for (int round = 1; round <= MOST_ROUNDS; round++) {
            if (round > LEAST_ROUNDS && stopwatch.seconds() >= seconds) {
                break;
            }
            for (LoaderConfig config : order(round)) {
                measure(config, round, stopwatch);
            }
        }
    }

    private List<LoaderConfig> order(int round) {
        if (baseline.equals(incumbent) || baselineFailed) {
            return List.of(incumbent);
        }
        return round % 2 == 1 ? List.of(incumbent, baseline) : List.of(baseline, incumbent);
    }

    private void measure(LoaderConfig config, int round, Stopwatch stopwatch)
            throws TrialFailedException, InterruptedException {
        try {
            Ask ask = Ask.repeat(config, round);
            RoundRunner.Outcome outcome = runner.measure(ask);
            double rate = RoundRecord.of(ask, outcome, outcome.round().measurement(), null, stopwatch.seconds())
                    .samplesPerSecond();
            rates.computeIfAbsent(config, any -> new ArrayList<>()).add(new TimedRate(rate, stopwatch.seconds()));
            rounds++;
            busy += outcome.busy() ? 1 : 0;
        } catch (TrialFailedException failed) {
            if (config.equals(incumbent)) {
                throw failed;
            }
            baselineFailed = true;
        }
    }
}
