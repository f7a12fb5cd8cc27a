package io.loadertuner.service.page;

import io.loadertuner.core.loader.RoundMeasurement;
import io.loadertuner.core.loader.Symptoms.Waits;
import io.loadertuner.core.measure.MeasuredWindow;
import io.loadertuner.core.tuning.RoundRecord;
import io.loadertuner.core.tuning.StudyReport;
import io.loadertuner.core.tuning.TrialReport;
import io.loadertuner.service.study.ShownStudy;
import io.loadertuner.service.study.ShownTrial;
import io.loadertuner.service.study.ShownTrial.ShownRetry;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A trial.
 *
 * @param settings what it has and what the baseline has
 * @param batches when the batches of a round came; null where that is not known, or no longer
 * @param memory null where fewer than two rounds say
 * @param shownRound the round that {@code batches} are of, from 1; 0 for none
 * @param failure null where it did not fail
 */
public record TrialPage(
        ShownStudy study,
        TrialReport trial,
        String title,
        List<Answer.Line> settings,
        List<StudyPage.Fact> facts,
        List<Round> rounds,
        @Nullable Plot batches,
        @Nullable Plot memory,
        int shownRound,
        @Nullable FailureView failure,
        String log,
        List<RetryLine> retries) {

    /** A round. */
    public record Round(
            int number,
            String phase,
            String rate,
            String cost,
            String waiting,
            String memory,
            String cores,
            String told) {}

    /** @param told what came of it */
    public record RetryLine(String state, String askedAt, String told) {}

    static TrialPage of(ShownStudy study, ShownTrial trial, @Nullable Integer askedRound) {
        TrialReport report = trial.report();
        List<RoundRecord> rounds = trial.record().rounds();
        int shown = askedRound == null ? rounds.size() : Math.min(Math.max(1, askedRound), rounds.size());
        List<Long> arrivals = shown == 0 || trial.arrivalsMicros().size() < shown
                ? List.of()
                : trial.arrivalsMicros().get(shown - 1);
        List<Round> lines = new ArrayList<>();
        for (int index = 0; index < rounds.size(); index++) {
            lines.add(round(index + 1, rounds.get(index)));
        }
        return new TrialPage(
                study,
                report,
                report.config().describe(),
                Answer.settings(
                        report.config(),
                        study.report()
                                .flatMap(known -> Optional.ofNullable(known.baseline()))
                                .map(StudyReport.Baseline::config)
                                .orElse(report.config())),
                facts(report),
                lines,
                arrivals.size() < 2
                        ? null
                        : BatchTimes.plot(
                                arrivals, rounds.get(shown - 1).measurement().window()),
                MemoryOverTime.plot(rounds),
                shown,
                report.failure() == null ? null : FailureView.of(report.failure()),
                trial.log(),
                trial.retries().stream().map(TrialPage::retry).toList());
    }

    private static Round round(int number, RoundRecord round) {
        RoundMeasurement measured = round.measurement();
        MeasuredWindow window = measured.window();
        List<String> told = new ArrayList<>();
        if (!round.withStep()) {
            told.add("without the step");
        }
        if (round.rejected() > 0) {
            told.add(Words.count(round.rejected(), "disturbed repeat") + " thrown away");
        }
        if (round.busy()) {
            told.add("other processes were busy");
        }
        if (measured.warning() != null) {
            told.add(measured.warning());
        }
        Double cores = measured.ownCores();
        return new Round(
                number,
                Words.plain(round.phase()),
                Words.number(round.samplesPerSecond()) + "/s",
                Words.seconds(round.costSeconds()),
                Words.percent(Math.min(1, measured.waitSeconds() / window.seconds())),
                Words.bytes(measured.memoryBytes()),
                cores == null ? Words.UNKNOWN : Words.number(cores),
                String.join("; ", told));
    }

    private static List<StudyPage.Fact> facts(TrialReport report) {
        List<StudyPage.Fact> facts = new ArrayList<>();
        if (report.throughput() != null) {
            facts.add(new StudyPage.Fact(
                    "throughput",
                    Words.rate(report.throughput()) + " (" + Words.interval(report.throughput()) + ")"
                            + (report.unstable() ? ", unstable: its rounds differ more than twofold" : "")));
        }
        facts.add(new StudyPage.Fact("start-up", Words.seconds(report.startupSeconds())));
        facts.add(new StudyPage.Fact("first batch", Words.seconds(report.firstBatchSeconds())));
        Waits waits = report.waits();
        if (waits != null) {
            facts.add(new StudyPage.Fact(
                    "waits for a batch",
                    "median " + Words.seconds(waits.p50Seconds()) + ", 95 % below " + Words.seconds(waits.p95Seconds())
                            + ", longest " + Words.seconds(waits.maxSeconds())));
        }
        if (report.epochGapSeconds() != null) {
            facts.add(new StudyPage.Fact("pause between passes", Words.seconds(report.epochGapSeconds())));
        }
        facts.add(new StudyPage.Fact(
                "host memory at most",
                Words.bytes(report.peakMemoryBytes()) + " (foretold " + Words.bytes(report.predictedMemoryBytes())
                        + ")"));
        facts.add(new StudyPage.Fact(
                "shared memory at most",
                Words.bytes(report.sharedMemoryBytes()) + " (foretold "
                        + Words.bytes(report.predictedSharedMemoryBytes()) + ")"));
        if (report.gpuMemoryBytes() != null) {
            facts.add(new StudyPage.Fact("GPU memory", Words.bytes(report.gpuMemoryBytes())));
        }
        report.warnings().forEach(warning -> facts.add(new StudyPage.Fact("warning", warning)));
        return facts;
    }

    private static RetryLine retry(ShownRetry retry) {
        String told = retry.failure() != null
                ? Words.plain(retry.failure().reason().code()) + ": "
                        + retry.failure().message()
                : retry.throughput() != null
                        ? Words.rate(retry.throughput()) + " ("
                                + Words.interval(Objects.requireNonNull(retry.throughput())) + ")"
                        : "not over yet";
        return new RetryLine(retry.state(), retry.askedAt().toString(), told);
    }

    /** Whether it makes sense to try it again, and nothing of that kind is under way. */
    public boolean canBeRetried() {
        return failure != null
                && retries.stream()
                        .noneMatch(one ->
                                one.state().equals("queued") || one.state().equals("running"));
    }

    /** Whether this page will soon say something else. */
    public boolean isLive() {
        return !study.state().isOver()
                || retries.stream()
                        .anyMatch(one ->
                                one.state().equals("queued") || one.state().equals("running"));
    }
}
