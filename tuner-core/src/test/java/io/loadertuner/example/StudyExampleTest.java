package io.loadertuner.example;

import static org.assertj.core.api.Assertions.assertThat;

import io.loadertuner.core.space.LoaderConfig;
import io.loadertuner.core.space.SearchSpace;
import io.loadertuner.core.study.Budget;
import io.loadertuner.core.study.Direction;
import io.loadertuner.core.study.Outcome;
import io.loadertuner.core.study.Study;
import io.loadertuner.core.study.Trial;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;

class StudyExampleTest {

    @Test
    void it_finds_the_config_with_the_shortest_epoch() throws InterruptedException {
        SearchSpace space =
                new SearchSpace(List.of(0, 1, 2, 4, 8), List.of(2, 4), List.of(false, true), List.of(64), true, null);
        Study study = Study.builder(space, Direction.MINIMIZE)
                .sampler(new FewestInFlightFirst())
                .build();

        study.optimize(this::measure, new Budget(600, 40), InstantSource.system());

        Trial best = study.bestTrial();
        assertThat(best.config().numWorkers()).isEqualTo(4);
    }

    private Outcome measure(Trial trial) {
        for (int epoch = 1; epoch <= 3; epoch++) {
            trial.report(epoch, secondsOfAnEpoch(trial.config()));
            if (trial.shouldPrune()) {
                return Outcome.pruned();
            }
        }
        return Outcome.value(secondsOfAnEpoch(trial.config()));
    }

    private static double secondsOfAnEpoch(LoaderConfig config) {
        return 40.0 / (1 + Math.min(4, config.numWorkers()));
    }
}
