package io.loadertuner.core.tuning;

import io.loadertuner.core.loader.FailureReason;
import io.loadertuner.core.loader.TrialFailure;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Trials that failed in the same way: with the same reason and, where they are known, the same type of exception at the same
 * place, or the same signal. Numbers in the messages may differ.
 *
 * @param first the failure of the first of them
 * @param trials their numbers
 */
record FailureGroup(TrialFailure first, List<Integer> trials) {

    private record Kind(FailureReason reason, List<@Nullable Object> seen) {
        static Kind of(TrialFailure failure) {
            List<@Nullable Object> seen = new ArrayList<>();
            for (String detail : List.of("exception", "frame", "signal")) {
                seen.add(failure.details().get(detail));
            }
            return new Kind(failure.reason(), seen);
        }
    }

    /** The failures of these trials, in the order of their first ones. */
    static List<FailureGroup> of(List<TrialRecord> trials) {
        Map<Kind, FailureGroup> groups = new LinkedHashMap<>();
        for (TrialRecord trial : trials) {
            FailureRecord record = trial.failure();
            if (record != null) {
                TrialFailure failure = record.failure();
                groups.computeIfAbsent(Kind.of(failure), any -> new FailureGroup(failure, new ArrayList<>()))
                        .trials()
                        .add(trial.number());
            }
        }
        return List.copyOf(groups.values());
    }

    /** Why a study has no answer, with one row for each group. */
    static TrialFailure nothingMeasured(List<TrialRecord> trials) {
        List<FailureGroup> groups = of(trials);
        if (groups.isEmpty()) {
            return TrialFailure.of(FailureReason.RUNNER_ERROR, "no config could be measured within the budget");
        }
        TrialFailure first = groups.get(0).first();
        int failed = groups.stream().mapToInt(group -> group.trials().size()).sum();
        String how = groups.size() == 1 ? "in the same way" : "for %d reasons, the first".formatted(groups.size());
        String message = failed == 1
                ? "the only trial failed: " + first.message()
                : "all %d trials failed %s: %s".formatted(failed, how, first.message());
        return new TrialFailure(
                first.reason(),
                message,
                first.advice(),
                Map.of("failures", groups.stream().map(FailureGroup::row).toList()));
    }

    private Map<String, Object> row() {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("reason", first.reason().code());
        row.put("message", first.message());
        row.put("exception", Objects.requireNonNullElse(first.details().get("exception"), ""));
        row.put("frame", Objects.requireNonNullElse(first.details().get("frame"), ""));
        row.put("advice", first.advice());
        row.put("count", trials.size());
        row.put("trials", List.copyOf(trials));
        return row;
    }
}
