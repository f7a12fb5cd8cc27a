package io.loadertuner.service.page;

import io.loadertuner.core.diagnosis.Finding;
import io.loadertuner.core.loader.LoaderFacts;
import io.loadertuner.core.measure.Throughput;
import io.loadertuner.core.space.LoaderConfig;
import io.loadertuner.core.study.Skip;
import io.loadertuner.core.study.TrialState;
import io.loadertuner.core.tuning.StudyReport;
import io.loadertuner.core.tuning.StudyState;
import io.loadertuner.service.study.ShownStudy;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A study.
 *
 * @param answer null before it is completed
 * @param failure null where it did not fail
 * @param bestSoFar null before something was measured, and where there is an answer
 */
public record StudyPage(
        ShownStudy study,
        List<Fact> facts,
        @Nullable Live live,
        @Nullable Answer answer,
        @Nullable FailureView failure,
        @Nullable TrialLine bestSoFar,
        List<Plot> settings,
        List<String> notSearched,
        List<Plot> plots,
        WorkerMap map,
        ParallelCoordinates coordinates,
        List<Step> steps,
        List<Finding> findings,
        List<String> notes,
        List<Skip> skipped,
        Table table) {

    /** Something that is known of a study. */
    public record Fact(String name, String value) {}

    /**
     * How far it is.
     *
     * @param percent of its time
     * @param now the config that is being measured; empty where none is at the moment
     */
    public record Live(int percent, String used, String left, int trials, int trialsLeft, String now) {}

    /** A step of the search. */
    public record Step(String decision, String text) {}

    /**
     * The trials.
     *
     * @param all how many there are without the filter
     * @param found how many the filter lets through
     * @param workers numbers of workers to choose from
     */
    public record Table(
            List<TrialLine> lines,
            TrialFilter filter,
            Address asked,
            int all,
            int found,
            int page,
            int pages,
            List<Integer> workers,
            List<Integer> prefetches,
            List<Integer> batches) {
        static final int PAGE_SIZE = 50;
    }

    static StudyPage of(ShownStudy study, List<TrialLine> trials, TrialFilter filter, Address asked, int page) {
        StudyReport report = study.report().orElse(null);
        List<TrialLine> shown = filter.of(trials);
        Optional<TrialLine> best =
                trials.stream().filter(trial -> trial.rate() > 0).max(Comparator.comparingDouble(TrialLine::rate));
        List<Skip> skipped = report == null ? List.of() : report.skipped();
        Throughput baseline = report == null || report.baseline() == null
                ? null
                : report.baseline().throughput();
        StudyPlots plots = new StudyPlots(shown, baseline);
        Answer answer = report == null || report.recommendation() == null || study.endedAt() == null
                ? null
                : Answer.of(report, report.recommendation(), study.endedAt());
        SettingPlots settings = new SettingPlots(
                shown, report == null ? List.of() : report.explanation(), skipped, centre(report, best));
        return new StudyPage(
                study,
                facts(study, report),
                study.state().isOver() || report == null ? null : live(report, trials),
                answer,
                report == null || report.failure() == null ? null : FailureView.of(report.failure()),
                answer == null ? best.orElse(null) : null,
                settings.all(),
                settings.notSearched(),
                shown.isEmpty()
                        ? List.of()
                        : List.of(plots.bestSoFar(), plots.memory(), plots.timeline(), plots.costs()),
                WorkerMap.of(shown, filter.isAny() ? skipped : List.of()),
                ParallelCoordinates.of(shown),
                report == null
                        ? List.of()
                        : report.explanation().stream()
                                .map(step -> new Step(Words.plain(step.decision()), step.text()))
                                .toList(),
                report == null ? List.of() : report.findings(),
                report == null ? List.of() : report.notes(),
                skipped,
                table(trials, shown, filter, asked, page));
    }

    private static LoaderConfig centre(@Nullable StudyReport report, Optional<TrialLine> best) {
        if (report != null && report.recommendation() != null) {
            return report.recommendation().config();
        }
        return best.map(TrialLine::config).orElse(LoaderConfig.of(0, 2, false, 1, false, null));
    }

    private static Live live(StudyReport report, List<TrialLine> trials) {
        StudyReport.Progress progress = report.progress();
        double all = progress.secondsUsed() + progress.secondsLeft();
        String now = trials.stream()
                .filter(trial -> trial.record().openAttempts() > 0 || trial.state() == TrialState.RUNNING)
                .reduce((first, second) -> second)
                .map(trial -> "trial " + trial.number() + ": " + trial.config().describe())
                .orElse("");
        return new Live(
                all <= 0 ? 0 : (int) Math.round(100 * progress.secondsUsed() / all),
                Words.seconds(progress.secondsUsed()),
                Words.seconds(progress.secondsLeft()),
                trials.size(),
                progress.trialsLeft(),
                now);
    }

    private static List<Fact> facts(ShownStudy study, @Nullable StudyReport report) {
        List<Fact> facts = new ArrayList<>();
        facts.add(new Fact("machine type", study.machineType()));
        if (report != null) {
            facts.add(new Fact("device", Objects.toString(report.device(), "not known yet")));
            facts.add(new Fact(
                    "objective",
                    report.objective().equals("with_step")
                            ? "samples per second with the training step"
                            : "samples per second of the loader alone"));
            LoaderFacts found = report.facts();
            if (found != null) {
                facts.add(new Fact(
                        "dataset",
                        found.kind()
                                + (found.length() == null ? "" : ", " + Words.whole(found.length()) + " samples")
                                + (found.sampleBytes() == null
                                        ? ""
                                        : ", " + Words.bytes(found.sampleBytes()) + " each")));
                if (found.torch() != null) {
                    facts.add(new Fact("PyTorch", found.torch() + ", Python " + found.python()));
                }
            }
            facts.add(new Fact(
                    "took",
                    Words.seconds(report.progress().secondsUsed()) + ", "
                            + Words.count(report.progress().trials(), "trial")));
        }
        if (study.askedBy() != null) {
            facts.add(new Fact("asked by", study.askedBy()));
        }
        return facts;
    }

    private static Table table(
            List<TrialLine> trials, List<TrialLine> shown, TrialFilter filter, Address asked, int page) {
        int pages = Math.max(1, (shown.size() + Table.PAGE_SIZE - 1) / Table.PAGE_SIZE);
        int here = Math.min(Math.max(1, page), pages);
        List<TrialLine> sorted = filter.sorted(shown);
        return new Table(
                sorted.subList((here - 1) * Table.PAGE_SIZE, Math.min(sorted.size(), here * Table.PAGE_SIZE)),
                filter,
                asked,
                trials.size(),
                shown.size(),
                here,
                pages,
                values(trials.stream().map(trial -> trial.config().numWorkers())),
                values(trials.stream().map(trial -> trial.config().prefetchFactor())),
                values(trials.stream().map(trial -> trial.config().batchSize())));
    }

    private static List<Integer> values(Stream<@Nullable Integer> values) {
        TreeSet<Integer> known = new TreeSet<>();
        values.forEach(value -> {
            if (value != null) {
                known.add(value);
            }
        });
        return List.copyOf(known);
    }

    /** Whether it is under way. */
    public boolean isLive() {
        return !study.state().isOver();
    }

    public boolean isCancelled() {
        return study.state() == StudyState.CANCELLED;
    }
}
