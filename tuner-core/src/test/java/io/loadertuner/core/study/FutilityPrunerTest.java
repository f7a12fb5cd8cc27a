package io.loadertuner.core.study;

import static io.loadertuner.core.study.StudyTest.ask;
import static io.loadertuner.core.study.StudyTest.next;
import static io.loadertuner.core.study.StudyTest.study;
import static org.assertj.core.api.Assertions.assertThat;

import io.loadertuner.core.measure.PairedRounds;
import org.junit.jupiter.api.Test;

class FutilityPrunerTest {
    private final FutilityPruner pruner = new FutilityPruner();
    private final PairedRounds<String> reports = new PairedRounds<>();

    @Test
    void who_is_alone_is_not_pruned() {
        assertThat(pruner.prunes("a", reports)).isFalse();

        reports.add("1", "a", 100);

        assertThat(pruner.prunes("a", reports)).isFalse();
        assertThat(pruner.prunes("b", reports)).isFalse();
    }

    @Test
    void one_report_prunes_at_a_deficit_of_a_fifth() {
        // One pair leaves the prior: t(0.95, 4) = 2.131847 × 0.1060660 = 0.2261165 in logarithms: a rate of 0.7976.
        reports.add("1", "best", 1000);
        reports.add("1", "near", 799);

        assertThat(pruner.prunes("near", reports)).isFalse();

        reports.add("1", "near", 796);

        assertThat(pruner.prunes("near", reports)).isTrue();
        assertThat(pruner.prunes("best", reports)).isFalse();
    }

    @Test
    void a_deficit_within_the_margin_is_no_reason() {
        FutilityPruner generous = new FutilityPruner(0.5);
        reports.add("1", "best", 1000);
        reports.add("1", "other", 620);

        // ln(1000 / 620) = 0.478: behind beyond noise, but by less than 0.5.
        assertThat(pruner.prunes("other", reports)).isTrue();
        assertThat(generous.prunes("other", reports)).isFalse();
    }

    @Test
    void a_trial_is_pruned_against_those_that_reported_the_same_step() {
        Study study = study(Direction.MAXIMIZE, ask(0), ask(1), ask(2));
        Trial fast = next(study);
        fast.report(1, 1000);
        fast.report(2, 1000);
        Trial slow = next(study);
        Trial elsewhere = next(study);

        slow.report(1, 400);
        elsewhere.report(3, 400);

        assertThat(fast.shouldPrune()).isFalse();
        assertThat(slow.shouldPrune()).isTrue();
        assertThat(elsewhere.shouldPrune()).isFalse();
    }

    @Test
    void where_less_is_better_the_larger_value_is_pruned() {
        Study study = study(Direction.MINIMIZE, ask(0), ask(1));
        Trial quick = next(study);
        Trial slow = next(study);

        quick.report(1, 2);
        slow.report(1, 5);

        assertThat(quick.shouldPrune()).isFalse();
        assertThat(slow.shouldPrune()).isTrue();
    }
}
