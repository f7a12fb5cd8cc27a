package io.loadertuner.service.page;

import io.loadertuner.core.measure.Throughput;
import io.loadertuner.core.study.Recommendation.Kind;
import io.loadertuner.core.tuning.StudyReport;
import io.loadertuner.core.tuning.StudyReport.Recommended;
import io.loadertuner.core.tuning.StudyState;
import io.loadertuner.service.study.HistoryQuery;
import io.loadertuner.service.study.ShownStudy;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The list of studies.
 *
 * @param asked the filter and the order, as in the address
 * @param total studies that the filter lets through
 * @param pages that there are, at least 1
 * @param live whether something on it is under way
 */
public record StudiesPage(
        List<Row> rows, HistoryQuery query, Address asked, int total, int pages, boolean filtered, boolean live) {

    /**
     * @param bestSoFar of a study that runs
     */
    static StudiesPage of(
            List<ShownStudy> studies,
            Function<ShownStudy, Optional<Throughput>> bestSoFar,
            HistoryQuery query,
            Address asked,
            int total) {
        return new StudiesPage(
                studies.stream().map(study -> Row.of(study, bestSoFar)).toList(),
                query,
                asked,
                total,
                Math.max(1, (total + HistoryQuery.PAGE_SIZE - 1) / HistoryQuery.PAGE_SIZE),
                !query.text().isEmpty() || query.state() != null,
                studies.stream().anyMatch(study -> !study.state().isOver()));
    }

    /**
     * A study.
     *
     * @param progress share of its time that is used, 0 to 100; null unless it runs
     * @param told one thing that is to be said of its state; empty for nothing
     * @param gain against the baseline; empty where there is none
     */
    public record Row(
            String id,
            String dataset,
            String version,
            String machineType,
            StudyState state,
            @Nullable Integer progress,
            String told,
            String baseline,
            String best,
            String gain,
            int trials,
            String createdAt,
            @Nullable String askedBy) {

        static Row of(ShownStudy study, Function<ShownStudy, Optional<Throughput>> bestSoFar) {
            Optional<StudyReport> report = study.report();
            Recommended best = report.map(StudyReport::recommendation).orElse(null);
            return new Row(
                    study.id(),
                    study.dataset(),
                    report.map(StudyReport::version).orElse(""),
                    study.machineType(),
                    study.state(),
                    study.state() == StudyState.RUNNING
                            ? report.map(StudyReport::progress)
                                    .map(Row::percentUsed)
                                    .orElse(0)
                            : null,
                    told(study),
                    Words.rate(report.map(StudyReport::baseline)
                            .map(Row::throughput)
                            .orElse(null)),
                    Words.rate(
                            best != null
                                    ? best.throughput()
                                    : study.state() == StudyState.RUNNING
                                            ? bestSoFar.apply(study).orElse(null)
                                            : null),
                    gain(best),
                    report.map(known -> known.progress().trials()).orElse(0),
                    study.createdAt().toString(),
                    study.askedBy());
        }

        private static @Nullable Throughput throughput(StudyReport.Baseline baseline) {
            return baseline.throughput();
        }

        private static int percentUsed(StudyReport.Progress progress) {
            double all = progress.secondsUsed() + progress.secondsLeft();
            return all <= 0 ? 0 : (int) Math.round(100 * progress.secondsUsed() / all);
        }

        private static String gain(@Nullable Recommended best) {
            if (best == null) {
                return "";
            }
            if (best.kind() == Kind.KEPT) {
                return "kept";
            }
            return best.speedup() == null
                    ? "the baseline fails"
                    : Words.gain(best.speedup().ratio());
        }

        private static String told(ShownStudy study) {
            StudyReport report = study.report().orElse(null);
            if (report == null) {
                return "its report cannot be read";
            }
            if (study.state() == StudyState.RUNNING) {
                return Words.seconds(report.progress().secondsLeft()) + " left at most";
            }
            return study.state() == StudyState.FAILED && report.failure() != null
                    ? Words.plain(report.failure().reason().code())
                    : "";
        }
    }
}
