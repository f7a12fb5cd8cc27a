package io.loadertuner.service.page;

import io.loadertuner.core.measure.Throughput;
import io.loadertuner.core.space.LoaderConfig;
import io.loadertuner.core.study.TrialState;
import io.loadertuner.core.tuning.Preparation;
import io.loadertuner.core.tuning.RoundRecord;
import io.loadertuner.core.tuning.StudyReport;
import io.loadertuner.core.tuning.TrialRecord;
import io.loadertuner.core.tuning.TrialReport;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A trial as it stands in the table and in the plots of its study.
 *
 * @param tied whether it cannot be told from the best
 */
public record TrialLine(
        String address, TrialRecord record, TrialReport report, boolean isBaseline, boolean isChosen, boolean tied) {

    static List<TrialLine> of(
            String studyId, List<TrialRecord> trials, Optional<Preparation> preparation, Optional<StudyReport> report) {
        Integer baseline = report.flatMap(known -> Optional.ofNullable(known.baseline()))
                .map(StudyReport.Baseline::trial)
                .orElse(null);
        Integer chosen = report.flatMap(known -> Optional.ofNullable(known.recommendation()))
                .map(StudyReport.Recommended::trial)
                .orElse(null);
        List<Integer> ties = report.map(StudyReport::tieSet).orElse(List.of());
        return trials.stream()
                .map(trial -> new TrialLine(
                        StudiesController.PATH + "/" + studyId + "/trials/" + trial.number(),
                        trial,
                        TrialReport.of(trial, preparation),
                        baseline != null && baseline == trial.number(),
                        chosen != null && chosen == trial.number(),
                        ties.contains(trial.number())))
                .toList();
    }

    public int number() {
        return record.number();
    }

    public LoaderConfig config() {
        return record.config();
    }

    public TrialState state() {
        return record.state();
    }

    public @Nullable Throughput throughput() {
        return report.throughput();
    }

    /** Samples per second; 0 where there is no rate. */
    double rate() {
        Throughput known = throughput();
        return known == null ? 0 : known.samplesPerSecond();
    }

    public @Nullable Long memoryBytes() {
        return report.peakMemoryBytes();
    }

    /** Seconds of the study that it took. */
    public double costSeconds() {
        double rounds =
                record.rounds().stream().mapToDouble(RoundRecord::costSeconds).sum();
        return rounds + (record.failure() == null ? 0 : record.failure().costSeconds());
    }

    /** When its first result was there, seconds since the study began; negative where there is none yet. */
    double firstSeconds() {
        if (!record.rounds().isEmpty()) {
            return record.rounds().get(0).elapsedSeconds();
        }
        return record.failure() == null ? -1 : record.failure().elapsedSeconds();
    }

    /** How it looks in a plot. */
    String kind() {
        if (isChosen) {
            return "chosen";
        }
        if (isBaseline) {
            return "baseline";
        }
        return tied ? "tied" : "plain";
    }

    /** All of it that matters, in a line. */
    String tip() {
        StringBuilder text =
                new StringBuilder("Trial ").append(number()).append(": ").append(config().describe());
        Throughput known = throughput();
        if (known != null) {
            text.append(" — ")
                    .append(Words.rate(known))
                    .append(" (")
                    .append(Words.interval(known))
                    .append(")");
        }
        if (record.failure() != null) {
            text.append(" — failed: ")
                    .append(Words.plain(record.failure().failure().reason().code()));
        }
        text.append(isChosen ? "; recommended" : "").append(isBaseline ? "; baseline" : "");
        return text.append(tied && !isChosen ? "; cannot be told from the best" : "")
                .toString();
    }
}
