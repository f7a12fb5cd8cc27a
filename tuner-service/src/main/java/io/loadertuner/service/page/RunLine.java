package io.loadertuner.service.page;

import io.loadertuner.core.measure.Movement;
import io.loadertuner.service.schedule.RunAnswer;
import java.time.Instant;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A run of a schedule.
 *
 * @param outcome in a word; how far it has come, before the end
 * @param rate of what is recommended, over what it was before; empty where that is not known
 * @param study that followed; empty where none did
 */
public record RunLine(String dueAt, String outcome, String text, String rate, String study) {
    private static final Set<String> UNDER_WAY = Set.of("queued", "running");
    private static final int SOON_SECONDS = 2;
    private static final int LATER_SECONDS = 30;

    static RunLine of(RunAnswer run) {
        Movement movement = run.movement();
        String outcome = run.outcome();
        String study = run.study();
        return new RunLine(
                run.dueAt().toString(),
                outcome == null ? run.state() : outcome,
                run.text(),
                movement == null ? "" : Words.ratio(movement.incumbent()),
                study == null ? "" : study);
    }

    /** How often, in seconds, who looks at runs is to look again: soon where one is not over. */
    static int secondsToLookAgain(Stream<RunLine> shown) {
        return shown.anyMatch(run -> UNDER_WAY.contains(run.outcome())) ? SOON_SECONDS : LATER_SECONDS;
    }

    static String text(@Nullable Instant instant) {
        return instant == null ? "" : instant.toString();
    }
}
