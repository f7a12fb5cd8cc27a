package io.loadertuner.service.page;

import io.loadertuner.service.schedule.ScheduleAnswer;
import io.loadertuner.service.web.Page;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The schedules.
 *
 * @param next cursor of those made before; null where there are none
 */
public record SchedulesPage(List<Line> lines, @Nullable String next) {

    /**
     * A schedule.
     *
     * @param nextRunAt empty where it is switched off
     * @param last null before it ran
     */
    public record Line(
            String id,
            String dataset,
            String version,
            String machineType,
            String cron,
            String timeZone,
            boolean enabled,
            String nextRunAt,
            @Nullable RunLine last) {}

    public int secondsToLookAgain() {
        return RunLine.secondsToLookAgain(lines.stream().map(Line::last).filter(Objects::nonNull));
    }

    static SchedulesPage of(Page<ScheduleAnswer> page) {
        return new SchedulesPage(page.items().stream().map(SchedulesPage::line).toList(), page.nextCursor());
    }

    private static Line line(ScheduleAnswer schedule) {
        return new Line(
                schedule.id(),
                schedule.dataset(),
                schedule.study().descriptor().version(),
                schedule.machineType(),
                schedule.cron(),
                schedule.timeZone(),
                schedule.enabled(),
                RunLine.text(schedule.nextRunAt()),
                schedule.lastRun() == null ? null : RunLine.of(schedule.lastRun()));
    }
}
