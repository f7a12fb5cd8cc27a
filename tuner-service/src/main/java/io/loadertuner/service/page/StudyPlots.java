package io.loadertuner.service.page;

import io.loadertuner.core.measure.Throughput;
import io.loadertuner.core.study.Phase;
import io.loadertuner.core.study.TrialState;
import io.loadertuner.core.tuning.FailureRecord;
import io.loadertuner.core.tuning.RoundRecord;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The plots that show all trials of a study. */
final class StudyPlots {
    private static final int WIDTH = 640;
    private static final int HEIGHT = 300;
    private static final double ABOVE_BOTTOM = 9;
    private static final double MEBI = 1 << 20;

    /** More marks than this cannot be told apart; of the others only those that made a difference are shown. */
    private static final int MOST_MARKS = 600;

    private final List<TrialLine> trials;
    private final @Nullable Throughput baseline;

    /**
     * @param trials in the order of their numbers
     */
    StudyPlots(List<TrialLine> trials, @Nullable Throughput baseline) {
        this.trials = trials;
        this.baseline = baseline;
    }

    /** The best rate that was known at any time, with the baseline's as a line. */
    Plot bestSoFar() {
        List<TrialLine> byTime = trials.stream()
                .filter(trial -> trial.firstSeconds() >= 0)
                .sorted(Comparator.comparingDouble(TrialLine::firstSeconds))
                .toList();
        double end = byTime.isEmpty() ? 1 : byTime.get(byTime.size() - 1).firstSeconds();
        Axis seconds = Axis.fromZero(end, Plot.LEFT, (double) WIDTH - Plot.RIGHT);
        Axis rates = rates(baseline == null ? 0 : baseline.samplesPerSecond());
        Stairway best = new Stairway(rates);
        List<Plot.Mark> marks = new ArrayList<>();
        int every = 1 + byTime.size() / MOST_MARKS;
        for (int index = 0; index < byTime.size(); index++) {
            TrialLine trial = byTime.get(index);
            double x = seconds.at(trial.firstSeconds());
            boolean better = best.add(x, trial.rate());
            if (better || !trial.kind().equals("plain") || index % every == 0) {
                marks.add(mark(trial, x, rates));
            }
        }
        List<Plot.Line> lines = new ArrayList<>();
        if (baseline != null) {
            double y = rates.at(baseline.samplesPerSecond());
            lines.add(Plot.through(
                    List.of(new double[] {Plot.LEFT, y}, new double[] {(double) WIDTH - Plot.RIGHT, y}), "baseline"));
        }
        best.until(seconds.at(end)).ifPresent(lines::add);
        return new Plot(
                "best-so-far",
                "Best so far",
                "The best throughput known at each time: " + Words.number(best.top())
                        + " samples per second in the end, "
                        + (baseline == null ? "and no baseline yet" : "and " + Words.rate(baseline) + " the baseline"),
                "seconds since the study began",
                "samples/s",
                WIDTH,
                HEIGHT,
                seconds.ticks(6, Words::tick),
                rates.ticks(4, Words::tick),
                List.of(),
                lines,
                marks,
                List.of(new Plot.Key("line-best", "best so far"), new Plot.Key("line-baseline", "baseline")));
    }

    /** Throughput against memory, with the configs that nothing beats with less of it. */
    Plot memory() {
        List<TrialLine> known = trials.stream()
                .filter(trial -> trial.memoryBytes() != null && trial.throughput() != null)
                .sorted(Comparator.comparingDouble(StudyPlots::mebibytes)
                        .thenComparing(TrialLine::rate, Comparator.reverseOrder()))
                .toList();
        Axis memory = Axis.fromZero(
                known.stream().mapToDouble(StudyPlots::mebibytes).max().orElse(0),
                Plot.LEFT,
                (double) WIDTH - Plot.RIGHT);
        Axis rates = rates(0);
        List<Plot.Mark> marks = new ArrayList<>();
        Stairway front = new Stairway(rates);
        int every = 1 + known.size() / MOST_MARKS;
        for (int index = 0; index < known.size(); index++) {
            TrialLine trial = known.get(index);
            double x = memory.at(mebibytes(trial));
            boolean worthIt = front.add(x, trial.rate());
            if (worthIt || !trial.kind().equals("plain") || index % every == 0) {
                Plot.Mark mark = mark(trial, x, rates);
                String more = " with " + Words.bytes(trial.memoryBytes())
                        + (worthIt ? "" : "; others deliver as much with less memory");
                marks.add(new Plot.Mark(
                        mark.x(),
                        mark.y(),
                        mark.low(),
                        mark.high(),
                        worthIt || !mark.kind().equals("plain") ? mark.kind() : "elsewhere",
                        mark.tip() + more,
                        "",
                        mark.link()));
            }
        }
        return new Plot(
                "memory",
                "Throughput against host memory",
                "Of " + Words.count(known.size(), "trial") + " whose memory was measured, " + front.steps()
                        + " are worth their memory: nothing delivers as much with less",
                "MiB of host memory at most",
                "samples/s",
                WIDTH,
                HEIGHT,
                memory.ticks(6, Words::tick),
                rates.ticks(4, Words::tick),
                List.of(),
                front.until((double) WIDTH - Plot.RIGHT).stream().toList(),
                marks,
                List.of(
                        new Plot.Key("line-best", "the most with that memory or less"),
                        new Plot.Key("mark-elsewhere", "not worth its memory")));
    }

    /** What was measured when, a row for each trial. */
    Plot timeline() {
        double end = trials.stream().mapToDouble(StudyPlots::lastSeconds).max().orElse(1);
        Axis seconds = Axis.fromZero(end, Plot.LEFT, (double) WIDTH - Plot.RIGHT);
        int height = Math.min(520, Math.max(160, Plot.TOP + Plot.BOTTOM + 14 * trials.size()));
        int last = trials.isEmpty() ? 1 : trials.get(trials.size() - 1).number();
        Axis rows = new Axis(0.5, last + 0.5, Plot.TOP, (double) height - Plot.BOTTOM);
        double thick = Math.max(1, 0.8 * (rows.at(2) - rows.at(1)));
        List<Plot.Area> areas = new ArrayList<>();
        for (TrialLine trial : trials) {
            double y = rows.at(trial.number()) - thick / 2;
            for (RoundRecord round : trial.record().rounds()) {
                String kind = round.phase() == Phase.CONFIRM ? "confirmed" : "measured";
                areas.add(area(seconds, round.elapsedSeconds(), round.costSeconds(), y, thick, kind, trial.tip()));
            }
            FailureRecord failure = trial.record().failure();
            if (failure != null) {
                areas.add(area(
                        seconds, failure.elapsedSeconds(), failure.costSeconds(), y, thick, "failed", trial.tip()));
            }
        }
        return new Plot(
                "timeline",
                "Timeline",
                "When each of " + Words.count(trials.size(), "trial") + " was measured, over " + Words.seconds(end),
                "seconds since the study began",
                "trial",
                WIDTH,
                height,
                seconds.ticks(6, Words::tick),
                rows.ticks(Math.min(8, last), value -> value < 1 ? "" : String.valueOf(Math.round(value))),
                areas,
                List.of(),
                List.of(),
                List.of(
                        new Plot.Key("area-measured", "measured"),
                        new Plot.Key("area-confirmed", "measured again, to decide"),
                        new Plot.Key("area-failed", "failed")));
    }

    /** How long each trial was measured. */
    Plot costs() {
        int first = trials.isEmpty() ? 1 : trials.get(0).number();
        int last = trials.isEmpty() ? 1 : trials.get(trials.size() - 1).number();
        Axis numbers = new Axis(first - 0.5, last + 0.5, Plot.LEFT, (double) WIDTH - Plot.RIGHT);
        Axis seconds = Axis.fromZero(
                trials.stream().mapToDouble(TrialLine::costSeconds).max().orElse(0),
                (double) HEIGHT - Plot.BOTTOM,
                Plot.TOP);
        double wide = Math.max(1, Math.min(40, 0.8 * (numbers.at(2) - numbers.at(1))));
        List<Plot.Area> areas = new ArrayList<>();
        int every = 1 + trials.size() / MOST_MARKS;
        for (int index = 0; index < trials.size(); index += every) {
            TrialLine longest = trials.subList(index, Math.min(trials.size(), index + every)).stream()
                    .max(Comparator.comparingDouble(TrialLine::costSeconds))
                    .orElseThrow();
            double y = seconds.at(longest.costSeconds());
            String tip = longest.tip() + "; took " + Words.seconds(longest.costSeconds()) + " in "
                    + Words.count(longest.record().rounds().size(), "round");
            areas.add(new Plot.Area(
                    numbers.at(longest.number()) - wide / 2,
                    y,
                    wide,
                    (double) HEIGHT - Plot.BOTTOM - y,
                    longest.record().failure() == null ? "measured" : "failed",
                    tip));
        }
        double all = trials.stream().mapToDouble(TrialLine::costSeconds).sum();
        return new Plot(
                "costs",
                "Measured time per trial",
                "What each of " + Words.count(trials.size(), "trial") + " took of the study's time, together "
                        + Words.seconds(all),
                "trial" + (every == 1 ? "" : ", the longest of each " + every),
                "seconds",
                WIDTH,
                HEIGHT,
                numbers.ticks(8, value -> value == Math.rint(value) ? String.valueOf(Math.round(value)) : ""),
                seconds.ticks(4, Words::tick),
                areas,
                List.of(),
                List.of(),
                List.of(new Plot.Key("area-measured", "measured"), new Plot.Key("area-failed", "failed")));
    }

    private static Plot.Area area(
            Axis seconds, double end, double cost, double y, double thick, String kind, String tip) {
        double from = seconds.at(Math.max(0, end - cost));
        return new Plot.Area(from, y, Math.max(1, seconds.at(end) - from - 0.5), thick, kind, tip);
    }

    private static double lastSeconds(TrialLine trial) {
        double last = trial.record().rounds().stream()
                .mapToDouble(RoundRecord::elapsedSeconds)
                .max()
                .orElse(0);
        FailureRecord failure = trial.record().failure();
        return failure == null ? last : Math.max(last, failure.elapsedSeconds());
    }

    private static double mebibytes(TrialLine trial) {
        Long bytes = trial.memoryBytes();
        return bytes == null ? 0 : bytes / MEBI;
    }

    /**
     * @param besides what is drawn along this axis although it may be no trial's
     */
    private Axis rates(double besides) {
        double highest = trials.stream().mapToDouble(TrialLine::rate).reduce(besides, Math::max);
        return Axis.fromZero(highest, (double) HEIGHT - Plot.BOTTOM, Plot.TOP);
    }

    private static Plot.Mark mark(TrialLine trial, double x, Axis rates) {
        boolean failed = trial.state() == TrialState.FAILED && trial.throughput() == null;
        double y = failed ? (double) HEIGHT - Plot.BOTTOM - ABOVE_BOTTOM : rates.at(trial.rate());
        return new Plot.Mark(x, y, null, null, failed ? "failed" : trial.kind(), trial.tip(), "", trial.address());
    }
}
