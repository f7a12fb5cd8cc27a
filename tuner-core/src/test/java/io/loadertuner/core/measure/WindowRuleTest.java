package io.loadertuner.core.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.loadertuner.core.json.TunerJson;
import io.loadertuner.core.space.LoaderConfig;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class WindowRuleTest {
    private static final LoaderConfig TWO_WORKERS = LoaderConfig.of(2, 4, false, 64, false, null);

    private static final RoundPlan NO_TIME_TO_WARM_UP = new RoundPlan(2, 0, 1, 2, 2, 10);

    /** The probe's rule is held to the same cases by {@code test_window.py}. */
    record Case(
            String name,
            int workers,
            RoundPlan plan,
            List<Long> arrivalsUs,
            @Nullable List<Integer> window) {}

    static Stream<Case> cases() throws IOException {
        try (InputStream file = WindowRuleTest.class.getResourceAsStream("/window/cases.json")) {
            return Stream.of(TunerJson.mapper().readValue(file, Case[].class));
        }
    }

    @ParameterizedTest
    @MethodSource("cases")
    void the_window_is_the_one_at_which_the_probe_stops(Case known) {
        LoaderConfig config = LoaderConfig.of(known.workers, 2, false, 64, false, null);

        Optional<WindowEdges> found = new WindowRule(config, known.plan).windowIn(known.arrivalsUs);

        assertThat(found)
                .isEqualTo(Optional.ofNullable(known.window).map(edges -> new WindowEdges(edges.get(0), edges.get(1))));
    }

    @Test
    void after_a_pause_what_waited_in_the_queue_and_a_cycle_more_is_left_out() {
        List<Long> everyTenth = arrivals(0, 400);

        // Batch 20 is the last before the pause: 2 × 4 that waited and 2 more are dropped.
        assertThat(new WindowRule(TWO_WORKERS, NO_TIME_TO_WARM_UP).windowAfterPause(everyTenth, 20, 0))
                .contains(new WindowEdges(31, 131));
        // Half a second from batch 21 on is more.
        assertThat(new WindowRule(TWO_WORKERS, RoundPlan.exploring(TWO_WORKERS)).windowAfterPause(everyTenth, 20, 0))
                .contains(new WindowEdges(71, 171));
    }

    @Test
    void without_workers_nothing_waits_in_a_queue() {
        LoaderConfig none = LoaderConfig.of(0, 2, false, 64, false, null);

        assertThat(new WindowRule(none, RoundPlan.exploring(none)).windowAfterPause(arrivals(0, 400), 20, 0))
                .contains(new WindowEdges(21, 121));
    }

    @Test
    void too_few_batches_after_a_pause_hold_no_window() {
        WindowRule rule = new WindowRule(TWO_WORKERS, NO_TIME_TO_WARM_UP);

        assertThat(rule.windowAfterPause(arrivals(0, 131), 20, 0)).isEmpty();
        assertThat(rule.windowAfterPause(arrivals(0, 21), 20, 0)).isEmpty();
    }

    @Test
    void beside_a_step_it_opens_after_a_cycle_in_which_a_batch_was_waited_for() {
        WindowRule rule = new WindowRule(TWO_WORKERS, NO_TIME_TO_WARM_UP);
        List<Long> stepped = new ArrayList<>(arrivals(0, 400));
        // Batch 50 comes 4 ms late, and with it all that follow.
        for (int batch = 50; batch < stepped.size(); batch++) {
            stepped.set(batch, stepped.get(batch) + 4_000);
        }

        // At batches 31, 33, … it is asked; 51 is the first that has batch 50 in its cycle.
        assertThat(rule.windowAfterPause(stepped, 20, 0.01)).contains(new WindowEdges(51, 151));
        // Steps of 13 ms take longer than any batch but that one did, and hide it: 21 × 8 batches on from 21.
        assertThat(rule.windowAfterPause(stepped, 20, 0.013)).contains(new WindowEdges(189, 289));
    }

    @Test
    void among_other_ranks_a_window_opens_and_closes_no_earlier_and_at_whole_cycles() {
        WindowRule rule = new WindowRule(TWO_WORKERS, RoundPlan.exploring(TWO_WORKERS));
        List<Long> everyTenth = arrivals(0, 400);

        // Alone it would be 50 to 150: half a second of warm-up, one second of window.
        for (WindowEdges edges :
                List.of(new WindowEdges(50, 150), new WindowEdges(52, 152), new WindowEdges(60, 200))) {
            assertThat(rule.requireAmongOthers(everyTenth, edges)).isEqualTo(edges);
        }
        for (WindowEdges edges : List.of(
                new WindowEdges(48, 160), // too early
                new WindowEdges(51, 153), // not with a cycle's first batch
                new WindowEdges(52, 155), // not at a whole cycle
                new WindowEdges(52, 150), // too short
                new WindowEdges(52, 400))) { // beyond the batches
            assertThatIllegalStateException()
                    .isThrownBy(() -> rule.requireAmongOthers(everyTenth, edges))
                    .withMessageContaining("no window");
        }
    }

    @Test
    void a_window_is_measured_between_its_batches() {
        MeasuredWindow window = new WindowEdges(3, 7).over(arrivals(500, 20), 256);

        assertThat(window).isEqualTo(new MeasuredWindow(3, 7, 256, 0.04));
    }

    @Test
    void a_window_outside_the_arrivals_is_refused() {
        assertThatIllegalArgumentException().isThrownBy(() -> new WindowEdges(3, 20).over(arrivals(0, 20), 256));
        assertThatIllegalArgumentException().isThrownBy(() -> new WindowEdges(-1, 2).over(arrivals(0, 20), 256));
        assertThatIllegalArgumentException().isThrownBy(() -> new WindowEdges(0, 1).over(List.of(5L, 5L), 64));
        assertThatIllegalArgumentException().isThrownBy(() -> new WindowEdges(0, 1).over(List.of(), 64));
    }

    /** A batch every 10 ms. */
    private static List<Long> arrivals(long firstMicros, int batches) {
        return LongStream.range(0, batches)
                .map(batch -> firstMicros + 10_000 * batch)
                .boxed()
                .toList();
    }
}
