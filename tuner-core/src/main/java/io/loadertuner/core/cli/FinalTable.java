package io.loadertuner.core.cli;

import io.loadertuner.core.loader.TrialFailure;
import io.loadertuner.core.tuning.StudyReport;
import io.loadertuner.core.tuning.StudyReport.Recommended;
import io.loadertuner.core.tuning.StudyState;
import io.loadertuner.core.tuning.TrialReport;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** The answer of a study for a terminal: its trials, and the recommendation with its evidence. */
final class FinalTable {
    private static final double MEBIBYTE = 1024.0 * 1024;
    private static final String ROW = "%5s  %7s  %8s  %5s  %6s  %-26s %9s  %9s  %s%n";

    private static final String FAILURE = "%6s  %-24s  %s%n";

    private FinalTable() {}

    static String of(StudyReport study, List<TrialReport> trials) {
        StringBuilder text = new StringBuilder(String.format(
                Locale.ROOT,
                ROW,
                "trial",
                "workers",
                "prefetch",
                "batch",
                "pinned",
                "samples/s",
                "start",
                "memory",
                ""));
        for (TrialReport trial : trials) {
            text.append(row(study, trial));
        }
        study.skipped()
                .forEach(skip -> text.append("skipped: ")
                        .append(skip.config().describe())
                        .append(": ")
                        .append(skip.reason())
                        .append('\n'));
        text.append('\n');
        study.explanation().forEach(step -> text.append(step.text()).append('\n'));
        study.notes().forEach(note -> text.append(note).append('\n'));
        if (study.bottleneck() != null) {
            text.append("bottleneck: ").append(study.bottleneck().text()).append('\n');
        }
        study.findings()
                .forEach(finding -> text.append(finding.severity().name().toLowerCase(Locale.ROOT))
                        .append(": ")
                        .append(finding.evidence())
                        .append("\n  ")
                        .append(finding.remedy())
                        .append('\n'));
        Recommended recommended = study.recommendation();
        if (recommended != null) {
            text.append(String.format(
                    Locale.ROOT,
                    "%n%s: %s%n  yours %s · this %s · ratio %s · %d in the tie set · objective %s · device %s%n",
                    recommended.kind().name().toLowerCase(Locale.ROOT),
                    recommended.config().describe(),
                    Figures.throughput(
                            study.baseline() == null ? null : study.baseline().throughput()),
                    Figures.throughput(recommended.throughput()),
                    Figures.ratio(recommended.speedup()),
                    study.tieSet().size(),
                    study.objective(),
                    study.device()));
        }
        if (study.failure() != null) {
            text.append(String.format(
                    Locale.ROOT,
                    "%n%s: %s%n  %s%n",
                    study.state() == StudyState.CANCELLED
                            ? "cancelled"
                            : "failed: " + study.failure().reason().code(),
                    study.failure().message(),
                    study.failure().advice()));
            text.append(groups(study.failure()));
            Object traceback = study.failure().details().get("traceback");
            if (traceback != null) {
                text.append(traceback).append('\n');
            }
        }
        return text.toString().stripTrailing();
    }

    /** One line for each way in which trials failed. */
    private static String groups(TrialFailure failure) {
        if (!(failure.details().get("failures") instanceof List<?> rows)) {
            return "";
        }
        StringBuilder text =
                new StringBuilder(String.format(Locale.ROOT, FAILURE, "trials", "reason", "what was seen"));
        for (Object row : rows) {
            if (row instanceof Map<?, ?> group) {
                String frame = String.valueOf(group.get("frame"));
                String seen =
                        String.valueOf(group.get("message")).lines().findFirst().orElse("");
                text.append(String.format(
                        Locale.ROOT,
                        FAILURE,
                        group.get("count"),
                        group.get("reason"),
                        "%s%s: trials %s".formatted(seen, frame.isEmpty() ? "" : " (" + frame + ")", numbers(group))));
            }
        }
        return text.toString();
    }

    private static String numbers(Map<?, ?> group) {
        return group.get("trials") instanceof List<?> trials
                ? trials.stream().map(String::valueOf).collect(Collectors.joining(", "))
                : "";
    }

    private static String row(StudyReport study, TrialReport trial) {
        boolean baseline = study.baseline() != null && study.baseline().config().equals(trial.config());
        boolean chosen =
                study.recommendation() != null && study.recommendation().trial() == trial.number();
        String remark = (baseline ? "baseline " : "")
                + (chosen ? "recommended " : "")
                + (trial.failure() == null ? "" : trial.failure().reason().code());
        Integer prefetch = trial.config().prefetchFactor();
        Double start = trial.startupSeconds();
        Long memory = trial.peakMemoryBytes();
        return String.format(
                Locale.ROOT,
                ROW,
                trial.number(),
                trial.config().numWorkers(),
                prefetch == null ? "-" : prefetch.toString(),
                trial.config().batchSize(),
                trial.config().pinMemory() ? "yes" : "no",
                Figures.throughput(trial.throughput()),
                start == null ? "-" : String.format(Locale.ROOT, "%.2f s", start),
                memory == null ? "-" : String.format(Locale.ROOT, "%.0f MiB", memory / MEBIBYTE),
                remark.strip());
    }
}
