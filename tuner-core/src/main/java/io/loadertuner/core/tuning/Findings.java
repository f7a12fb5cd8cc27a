package io.loadertuner.core.tuning;

import io.loadertuner.core.diagnosis.Finding;
import io.loadertuner.core.diagnosis.RepeatedOrder;
import io.loadertuner.core.diagnosis.UnequalRanks;
import io.loadertuner.core.loader.LoaderFacts;
import io.loadertuner.core.loader.RankMeasurement;
import io.loadertuner.core.loader.SampleOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What is found in what was measured. */
final class Findings {
    private Findings() {}

    static List<Finding> in(LoaderFacts facts, List<TrialRecord> trials) {
        List<Finding> findings = new ArrayList<>();
        SampleOrder order = facts.order();
        if (order != null) {
            RepeatedOrder.of(order.sampler(), order.indices(), order.repeats(), order.changesWithSetEpoch())
                    .ifPresent(findings::add);
        }
        trials.stream()
                .flatMap(trial -> trial.rounds().stream())
                .map(round -> batchesPerPass(round.measurement().ranks()))
                .flatMap(batches -> UnequalRanks.of(batches).stream())
                .findFirst()
                .ifPresent(findings::add);
        return findings;
    }

    private static List<Long> batchesPerPass(List<RankMeasurement> ranks) {
        List<Long> known = ranks.stream()
                .flatMap(rank -> Optional.ofNullable(rank.batchesPerPass()).stream())
                .toList();
        return known.size() == ranks.size() ? known : List.of();
    }
}
