package io.loadertuner.service.page;

import io.loadertuner.core.diagnosis.Epoch;
import io.loadertuner.core.measure.Ratio;
import io.loadertuner.core.measure.Throughput;
import io.loadertuner.core.space.LoaderConfig;
import io.loadertuner.core.study.Recommendation.Kind;
import io.loadertuner.core.tuning.StudyReport;
import io.loadertuner.core.tuning.StudyReport.Recommended;
import io.loadertuner.service.recommendation.Snippets;
import io.loadertuner.service.recommendation.Snippets.Snippet;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a study came to: what stands at the top of its page.
 *
 * @param headline what to do, in a line
 * @param gain against the baseline, with its interval; empty where the baseline is kept
 * @param ties which configs cannot be told from the best, and why this one was taken
 * @param resolvable what this machine could have seen; empty where that is not known
 * @param epoch a whole pass over the data; empty where that is not known
 */
public record Answer(
        String kind,
        String headline,
        List<Line> settings,
        String rate,
        String interval,
        String baselineRate,
        String baselineInterval,
        String gain,
        String gainInterval,
        String ties,
        String reason,
        String bottleneck,
        String resolvable,
        String epoch,
        int trial,
        List<Snippet> snippets) {

    /**
     * A setting.
     *
     * @param before what the baseline has
     */
    public record Line(String setting, String value, String before) {
        public boolean isChanged() {
            return !value.equals(before);
        }
    }

    static Answer of(StudyReport study, Recommended recommended, Instant measuredAt) {
        StudyReport.Baseline baseline = study.baseline();
        Throughput before = baseline == null ? null : baseline.throughput();
        Ratio speedup = recommended.speedup();
        return new Answer(
                recommended.kind().name().toLowerCase(Locale.ROOT),
                headline(recommended.kind(), recommended.config().describe(), speedup != null),
                settings(recommended.config(), baseline == null ? recommended.config() : baseline.config()),
                Words.rate(recommended.throughput()),
                Words.interval(recommended.throughput()),
                Words.rate(before),
                before == null ? "" : Words.interval(before),
                speedup == null ? "" : Words.gain(speedup.ratio()),
                speedup == null
                        ? ""
                        : Words.gain(speedup.low()) + " to " + Words.gain(speedup.high()) + ", "
                                + Words.count(speedup.rounds(), "paired round"),
                ties(
                        recommended.kind(),
                        study.tieSet(),
                        recommended.trial(),
                        recommended.config().numWorkers()),
                recommended.reason(),
                study.bottleneck() == null ? "" : study.bottleneck().text(),
                study.resolvableDifference() == null
                        ? ""
                        : "Differences below " + Words.percent(study.resolvableDifference())
                                + " cannot be told from noise on this machine.",
                epoch(recommended.epoch()),
                recommended.trial(),
                Snippets.of(study, recommended, measuredAt));
    }

    /** @param compared whether the baseline gave rates to compare with */
    static String headline(Kind kind, String config, boolean compared) {
        return switch (kind) {
            case FASTER ->
                "Use " + config + (compared ? ": faster than what you have, beyond noise" : ": what you have fails");
            case CHEAPER -> "Use " + config + ": it takes less than what you have";
            case KEPT -> "Keep what you have: " + config;
        };
    }

    /** Nothing where the recommended config is not one of the ties: then its reason says all. */
    static String ties(Kind kind, List<Integer> tieSet, int recommended, int workers) {
        if (!tieSet.contains(recommended)) {
            return "";
        }
        int others = tieSet.size() - 1;
        if (others == 0) {
            return "No other config is tied with it.";
        }
        String tied = Words.count(others, "other config") + " cannot be told from the best by what was measured";
        return kind == Kind.FASTER
                ? tied + "; batch size apart, this one costs the least of them (" + Words.count(workers, "worker")
                        + ")."
                : tied + ".";
    }

    private static String epoch(@Nullable Epoch epoch) {
        return epoch == null
                ? ""
                : "A whole pass over " + Words.whole(epoch.samples()) + " samples begins with a pause of "
                        + Words.seconds(epoch.gapSeconds()) + " and comes to " + Words.number(epoch.samplesPerSecond())
                        + "/s, pause included.";
    }

    /** Those that mean something under one of the two. */
    static List<Line> settings(LoaderConfig config, LoaderConfig before) {
        List<Line> lines = new ArrayList<>();
        lines.add(line("batch_size", config.batchSize(), before.batchSize()));
        lines.add(line("num_workers", config.numWorkers(), before.numWorkers()));
        lines.add(line("prefetch_factor", config.prefetchFactor(), before.prefetchFactor()));
        lines.add(line("pin_memory", config.pinMemory(), before.pinMemory()));
        lines.add(line("persistent_workers", config.persistentWorkers(), before.persistentWorkers()));
        lines.add(line("non_blocking", config.nonBlocking(), before.nonBlocking()));
        if (config.multiprocessingContext() != null || before.multiprocessingContext() != null) {
            lines.add(
                    line("multiprocessing_context", config.multiprocessingContext(), before.multiprocessingContext()));
        }
        return lines;
    }

    private static Line line(String setting, @Nullable Object value, @Nullable Object before) {
        return new Line(setting, Objects.toString(value, "none"), Objects.toString(before, "none"));
    }
}
