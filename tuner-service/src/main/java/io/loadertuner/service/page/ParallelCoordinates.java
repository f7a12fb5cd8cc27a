package io.loadertuner.service.page;

import io.loadertuner.core.space.Setting;
import io.loadertuner.core.study.TrialState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Every trial as a line over all settings that vary, each on an axis of its own, and last the throughput.
 *
 * @param summary what it shows, for whoever does not see it
 * @param axes from left to right; fewer than three where no two settings vary
 * @param strands a trial each, those that matter most last, so that they lie on top
 */
public record ParallelCoordinates(String summary, List<Column> axes, List<Strand> strands) {
    static final int WIDTH = 900;
    static final int HEIGHT = 320;

    private static final double LEFT = 70;
    private static final double RIGHT = 80;
    private static final double TOP = 40;
    private static final double BOTTOM = 22;
    private static final double ABOVE_BOTTOM = 12;
    /** How high a label is, with the room about it. */
    private static final double LINE = 16;

    private static final int MOST_STRANDS = 400;
    private static final int STRANDS_TO_STEP_THROUGH = 60;
    /** The prefetch factor of a config without workers, which is no choice of its own. */
    private static final String NONE = "none";

    private static final List<String> TOWARDS_THE_TOP = List.of("failed", "plain", "tied", "baseline", "chosen");

    /** An axis with what stands along it. */
    public record Column(String name, double x, List<Plot.Tick> ticks) {}

    /** @param path as SVG writes it */
    public record Strand(String path, String kind, String tip, String link) {}

    static ParallelCoordinates of(List<TrialLine> trials) {
        List<Scale> scales = new ArrayList<>();
        for (Setting setting : Setting.values()) {
            List<String> values = trials.stream()
                    .map(trial -> setting.valueIn(trial.config()))
                    .distinct()
                    .sorted(SettingPlots.BY_VALUE)
                    .toList();
            if (values.stream().filter(value -> !value.equals(NONE)).count() > 1) {
                scales.add(new Scale(setting, values));
            }
        }
        Axis rates = Axis.fromZero(
                trials.stream().mapToDouble(TrialLine::rate).max().orElse(0), HEIGHT - BOTTOM - ABOVE_BOTTOM, TOP);
        double between = scales.isEmpty() ? 0 : (WIDTH - LEFT - RIGHT) / scales.size();
        List<Column> axes = new ArrayList<>();
        for (int index = 0; index < scales.size(); index++) {
            axes.add(scales.get(index).column(LEFT + index * between));
        }
        axes.add(new Column("samples/s", WIDTH - RIGHT, rates.ticks(4, Words::tick)));
        List<Strand> strands = shown(trials)
                .sorted(Comparator.comparingInt(trial -> TOWARDS_THE_TOP.indexOf(kind(trial))))
                .map(trial -> strand(trial, scales, between, rates))
                .toList();
        return new ParallelCoordinates(summary(trials, scales, strands), axes, strands);
    }

    /** Whether it says more than the plots of single settings. */
    public boolean isWorthShowing() {
        return axes.size() > 2;
    }

    /** Whether the keyboard goes from line to line; of very many, nobody would. */
    public boolean isSteppedThrough() {
        return strands.size() <= STRANDS_TO_STEP_THROUGH;
    }

    public int width() {
        return WIDTH;
    }

    public int height() {
        return HEIGHT;
    }

    public double top() {
        return TOP;
    }

    public double bottom() {
        return HEIGHT - BOTTOM;
    }

    /** All that matter, and of the others every so many. */
    private static Stream<TrialLine> shown(List<TrialLine> trials) {
        int every = 1 + trials.size() / MOST_STRANDS;
        return trials.stream().filter(trial -> !trial.kind().equals("plain") || trial.number() % every == 0);
    }

    private static Strand strand(TrialLine trial, List<Scale> scales, double between, Axis rates) {
        List<double[]> points = new ArrayList<>();
        for (int index = 0; index < scales.size(); index++) {
            points.add(new double[] {LEFT + index * between, scales.get(index).of(trial)});
        }
        points.add(new double[] {WIDTH - RIGHT, trial.rate() > 0 ? rates.at(trial.rate()) : HEIGHT - BOTTOM});
        Plot.Line line = Plot.through(points, kind(trial));
        return new Strand(line.path(), line.kind(), trial.tip(), trial.address());
    }

    private static String kind(TrialLine trial) {
        return trial.state() == TrialState.FAILED && trial.throughput() == null ? "failed" : trial.kind();
    }

    private static String summary(List<TrialLine> trials, List<Scale> scales, List<Strand> strands) {
        StringBuilder text = new StringBuilder(Words.count(trials.size(), "trial"));
        if (strands.size() < trials.size()) {
            text.append(", of which ").append(strands.size()).append(" are shown");
        }
        text.append(", each a line over ");
        scales.forEach(scale -> text.append(scale.setting().parameterName()).append(", "));
        return text.append("and samples per second").toString();
    }

    /** Where the values of a setting stand: as far from their neighbours as all others. */
    private record Scale(Setting setting, List<String> values) {
        double of(TrialLine trial) {
            return of(values.indexOf(setting.valueIn(trial.config())));
        }

        double of(int index) {
            double low = HEIGHT - BOTTOM - ABOVE_BOTTOM;
            return low - index * (low - TOP) / (values.size() - 1);
        }

        Column column(double x) {
            List<Plot.Tick> ticks = new ArrayList<>();
            for (int index = 0; index < values.size(); index++) {
                ticks.add(new Plot.Tick(of(index), values.get(index)));
            }
            return new Column(setting.parameterName(), x, Plot.Tick.legible(ticks, label -> LINE));
        }
    }
}
