package io.loadertuner.service.study;

import io.loadertuner.core.loader.TrialFailure;
import io.loadertuner.core.tuning.StudyReport;
import io.loadertuner.core.tuning.StudyReport.Progress;
import io.loadertuner.core.tuning.StudyRequest;
import io.loadertuner.core.tuning.StudyState;
import io.loadertuner.service.store.JsonText;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * A study as it is stored.
 *
 * @param posted its place in the order of posting
 * @param requestJson as admitted, with every path absolute
 * @param reportJson the newest report; its state may lag behind {@code state}
 * @param progressAt the moment that the report's progress is of; null where nobody measures the study
 * @param endedAt null before it is over
 */
record StoredStudy(
        String id,
        long posted,
        StudyState state,
        String dataset,
        String machineType,
        String requestJson,
        String reportJson,
        Instant createdAt,
        @Nullable Instant progressAt,
        @Nullable Instant endedAt) {
    private static final String PROGRESS = "progress";

    StudyRequest request() {
        return JsonText.read(requestJson, StudyRequest.class);
    }

    StudyReport report() {
        return JsonText.read(reportJson, StudyReport.class);
    }

    /** The newest report with the time that has gone by since in the round that is being measured. */
    StudyReport reportAt(Instant now) {
        return report().after(secondsSinceProgress(now));
    }

    /** What takes the place of a report that cannot be read. */
    ObjectNode bareReport(StudyState end, TrialFailure why) {
        ObjectNode bare = JsonText.object("{}");
        bare.put("id", id);
        bare.put("state", end.name().toLowerCase(Locale.ROOT));
        bare.put("dataset", dataset);
        bare.put("machine_type", machineType);
        bare.putNull("recommendation");
        bare.set("failure", JsonText.tree(why));
        return bare;
    }

    /** The report as it is answered, with the times that the service knows: what is used and left is so at {@code now}. */
    ObjectNode answer(Instant now) {
        ObjectNode answer = JsonText.object(reportJson);
        if (answer.get(PROGRESS) instanceof ObjectNode progress) {
            Progress then = JsonText.value(progress, Progress.class);
            answer.set(PROGRESS, JsonText.tree(then.after(secondsSinceProgress(now))));
        }
        answer.put("state", state.name().toLowerCase(Locale.ROOT));
        answer.put("created_at", createdAt.toString());
        answer.put("ended_at", endedAt == null ? null : endedAt.toString());
        return answer;
    }

    private double secondsSinceProgress(Instant now) {
        return progressAt == null || state != StudyState.RUNNING
                ? 0
                : Duration.between(progressAt, now).toNanos() / 1e9;
    }
}
