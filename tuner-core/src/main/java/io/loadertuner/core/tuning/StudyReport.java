package io.loadertuner.core.tuning;

import io.loadertuner.core.diagnosis.Bottleneck;
import io.loadertuner.core.diagnosis.Epoch;
import io.loadertuner.core.diagnosis.Finding;
import io.loadertuner.core.loader.LoaderFacts;
import io.loadertuner.core.loader.TrialFailure;
import io.loadertuner.core.measure.Ratio;
import io.loadertuner.core.measure.Throughput;
import io.loadertuner.core.space.LoaderConfig;
import io.loadertuner.core.study.Conclusion.StoppedBy;
import io.loadertuner.core.study.Explanation;
import io.loadertuner.core.study.Recommendation.Kind;
import io.loadertuner.core.study.Skip;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A study as it is answered, while it runs and after: the same fields over REST and on the command line.
 *
 * @param device where batches are delivered: {@code cpu}, {@code cuda:0}; null before that is known
 * @param machineType key of the machine type; null before it is known
 * @param objective {@code with_step}: the rate with the training step; {@code loader_only}: the loader alone
 * @param resolvableDifference the least relative difference that five paired rounds resolve here; null before the
 *     baseline has been measured
 * @param tieSet numbers of the trials that cannot be told from the best
 * @param stoppedBy what ended the last comparison; null before
 * @param rejectedRounds repeats thrown away because other processes used the processor
 * @param notes what holds for the whole answer: dimensions that collapsed, a busy machine, the learning rate
 */
public record StudyReport(
        String id,
        StudyState state,
        String dataset,
        String version,
        String loader,
        @Nullable String device,
        @Nullable String machineType,
        Progress progress,
        @Nullable Baseline baseline,
        String objective,
        @Nullable Recommended recommendation,
        @Nullable Double resolvableDifference,
        List<Integer> tieSet,
        List<BestOfBatchSize> bestByBatchSize,
        List<Explanation> explanation,
        List<Skip> skipped,
        @Nullable Bottleneck bottleneck,
        List<Finding> findings,
        @Nullable StoppedBy stoppedBy,
        int rejectedRounds,
        List<String> notes,
        @Nullable LoaderFacts facts,
        @Nullable TrialFailure failure) {

    /**
     * What of the budget was used, and how much is left at most; nothing is where the study is over. A study ends at the
     * latest with the round that its time runs out in.
     *
     * @param trials distinct configs tried
     * @param trialsLeft 0 in what was stored before it was told
     */
    public record Progress(int trials, int trialsLeft, double secondsUsed, double secondsLeft) {

        /** The same some seconds later; before that, none are counted. */
        public Progress after(double seconds) {
            double passed = Math.max(0, seconds);
            return new Progress(trials, trialsLeft, secondsUsed + passed, Math.max(0, secondsLeft - passed));
        }
    }

    /** What the user has. */
    public record Baseline(
            @Nullable Integer trial,
            LoaderConfig config,
            @Nullable Throughput throughput) {}

    /**
     * What is recommended.
     *
     * @param id key of the recommendation; null until it is stored
     * @param epoch a whole pass over the data, the pause at its start included; null where that or the dataset's length is
     *     unknown
     */
    public record Recommended(
            @Nullable String id,
            int trial,
            Kind kind,
            LoaderConfig config,
            Throughput throughput,
            @Nullable Ratio speedup,
            String reason,
            @Nullable Epoch epoch) {}

    /** The best trial at one batch size. */
    public record BestOfBatchSize(int batchSize, int trial) {}

    /**
     * A study that has been posted and not begun.
     *
     * @param device where batches will be delivered; null if that is not known yet
     */
    public static StudyReport queued(String id, StudyRequest request, @Nullable String device) {
        return new StudyReports(id, request).queued(device);
    }

    /** The same report under another state, with what is then to be said of a failure. */
    public StudyReport ended(StudyState newState, @Nullable TrialFailure why) {
        Progress spent = new Progress(progress.trials(), 0, progress.secondsUsed(), 0);
        return copy(newState, spent, recommendation, why);
    }

    /** The same report of a study that has gone on for some seconds since, in a round that is not over. */
    public StudyReport after(double seconds) {
        return copy(state, progress.after(seconds), recommendation, failure);
    }

    /** The same report with its recommendation stored under {@code recommendationId}. */
    public StudyReport storedAs(String recommendationId) {
        Recommended known = recommendation;
        if (known == null) {
            return this;
        }
        Recommended stored = new Recommended(
                recommendationId,
                known.trial(),
                known.kind(),
                known.config(),
                known.throughput(),
                known.speedup(),
                known.reason(),
                known.epoch());
        return copy(state, progress, stored, failure);
    }

    private StudyReport copy(
            StudyState newState,
            Progress newProgress,
            @Nullable Recommended newRecommendation,
            @Nullable TrialFailure newFailure) {
        return new StudyReport(
                id,
                newState,
                dataset,
                version,
                loader,
                device,
                machineType,
                newProgress,
                baseline,
                objective,
                newRecommendation,
                resolvableDifference,
                tieSet,
                bestByBatchSize,
                explanation,
                skipped,
                bottleneck,
                findings,
                stoppedBy,
                rejectedRounds,
                notes,
                facts,
                newFailure);
    }
}
