package io.loadertuner.service.page;

import io.loadertuner.service.schedule.RunAnswer;
import io.loadertuner.service.schedule.ScheduleAnswer;
import io.loadertuner.service.web.Page;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A schedule, or what one could be.
 *
 * @param id empty for one that is not made yet
 * @param title the dataset's name
 * @param nextRunAt empty where it is switched off
 * @param json what is tuned
 * @param next cursor of the runs before; null where there are none
 */
public record SchedulePage(
        String id,
        String title,
        String machineType,
        String cron,
        String timeZone,
        int jitterSeconds,
        int canarySeconds,
        boolean enabled,
        String nextRunAt,
        String json,
        List<RunLine> runs,
        @Nullable String next) {
    private static final int USUAL_JITTER_SECONDS = 600;
    private static final int USUAL_CANARY_SECONDS = 20;

    static SchedulePage empty(String json, String machineType) {
        return new SchedulePage(
                "",
                "New schedule",
                machineType,
                "0 3 * * SUN",
                "UTC",
                USUAL_JITTER_SECONDS,
                USUAL_CANARY_SECONDS,
                true,
                "",
                json,
                List.of(),
                null);
    }

    static SchedulePage of(ScheduleAnswer schedule, Page<RunAnswer> runs, String json) {
        return new SchedulePage(
                schedule.id(),
                schedule.dataset(),
                schedule.machineType(),
                schedule.cron(),
                schedule.timeZone(),
                schedule.jitterSeconds(),
                schedule.canarySeconds(),
                schedule.enabled(),
                RunLine.text(schedule.nextRunAt()),
                json,
                runs.items().stream().map(RunLine::of).toList(),
                runs.nextCursor());
    }

    public int secondsToLookAgain() {
        return RunLine.secondsToLookAgain(runs.stream());
    }

    public boolean isNew() {
        return id.isEmpty();
    }
}
