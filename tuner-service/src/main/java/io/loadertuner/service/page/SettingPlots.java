package io.loadertuner.service.page;

import io.loadertuner.core.measure.Throughput;
import io.loadertuner.core.space.LoaderConfig;
import io.loadertuner.core.space.Setting;
import io.loadertuner.core.study.Explanation;
import io.loadertuner.core.study.Explanation.Decision;
import io.loadertuner.core.study.Phase;
import io.loadertuner.core.study.Skip;
import io.loadertuner.core.study.TrialState;
import io.loadertuner.core.tuning.RoundRecord;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Throughput against one setting at a time. In each plot are the configs that differ from the answer in this setting alone, joined
 * by a line, and, fainter, those that the search compared this setting's values with on its way.
 */
final class SettingPlots {
    private static final int WIDTH = 420;
    private static final int HEIGHT = 300;
    private static final double MARGIN = 26;
    /** How wide a digit along the axis is. */
    private static final double CHARACTER = 6.5;

    private static final double ABOVE_BOTTOM = 9;
    static final Comparator<String> BY_VALUE =
            Comparator.comparingInt(String::length).thenComparing(Comparator.naturalOrder());

    private final List<TrialLine> trials;
    private final List<Explanation> explanation;
    private final List<Skip> skipped;
    private final LoaderConfig centre;
    private final Axis rates;

    /**
     * @param centre the answer, or what is best so far
     */
    SettingPlots(List<TrialLine> trials, List<Explanation> explanation, List<Skip> skipped, LoaderConfig centre) {
        this.trials = trials;
        this.explanation = explanation;
        this.skipped = skipped;
        this.centre = centre;
        this.rates = Axis.fromZero(
                trials.stream().mapToDouble(SettingPlots::highest).max().orElse(0),
                (double) HEIGHT - Plot.BOTTOM,
                Plot.TOP);
    }

    private static double highest(TrialLine trial) {
        Throughput known = trial.throughput();
        Double high = known == null ? null : known.high();
        return high == null ? trial.rate() : high;
    }

    /** A plot for each setting of which more than one value was looked at. */
    List<Plot> all() {
        List<Plot> plots = new ArrayList<>();
        for (Setting setting : Setting.values()) {
            Plot plot = of(setting);
            if (plot != null) {
                plots.add(plot);
            }
        }
        return plots;
    }

    /** Why settings were not looked at, a sentence each. */
    List<String> notSearched() {
        return explanation.stream()
                .filter(step -> step.decision() == Decision.NOT_SEARCHED)
                .map(Explanation::text)
                .toList();
    }

    private @Nullable Plot of(Setting setting) {
        List<TrialLine> around = trials.stream()
                .filter(trial -> isBeside(trial.config(), setting))
                .toList();
        List<TrialLine> elsewhere = trials.stream()
                .filter(trial -> !isBeside(trial.config(), setting) && wasComparedFor(trial, setting))
                .toList();
        List<Skip> left = skipped.stream()
                .filter(skip -> isBeside(skip.config(), setting))
                .toList();
        TreeSet<String> found = new TreeSet<>(BY_VALUE);
        around.forEach(trial -> found.add(setting.valueIn(trial.config())));
        elsewhere.forEach(trial -> found.add(setting.valueIn(trial.config())));
        left.forEach(skip -> found.add(setting.valueIn(skip.config())));
        if (found.size() < 2) {
            return null;
        }
        List<String> values = List.copyOf(found);
        Places places = new Places(setting, values);
        List<Plot.Mark> marks = new ArrayList<>();
        elsewhere.forEach(trial -> marks.add(mark(trial, places, true)));
        left.forEach(skip -> marks.add(skipMark(skip, places)));
        around.forEach(trial -> marks.add(mark(trial, places, false)));
        return new Plot(
                "setting-" + setting.parameterName(),
                setting.parameterName(),
                summary(setting, around, values),
                setting.parameterName(),
                "samples/s",
                WIDTH,
                HEIGHT,
                Plot.Tick.legible(
                        values.stream()
                                .map(value -> new Plot.Tick(places.of(value), value))
                                .toList(),
                        label -> CHARACTER * (1 + label.length())),
                rates.ticks(4, Words::tick),
                bands(),
                lines(places, Stream.concat(around.stream(), elsewhere.stream()).toList()),
                marks,
                List.of());
    }

    /** Whether nothing but this setting, and what has no meaning without workers, makes it another config than the answer. */
    private boolean isBeside(LoaderConfig config, Setting setting) {
        boolean workers = config.numWorkers() > 0 && centre.numWorkers() > 0;
        return (setting == Setting.NUM_WORKERS || config.numWorkers() == centre.numWorkers())
                && (setting == Setting.PREFETCH_FACTOR
                        || !workers
                        || Objects.equals(config.prefetchFactor(), centre.prefetchFactor()))
                && (setting == Setting.PIN_MEMORY || config.pinMemory() == centre.pinMemory())
                && (setting == Setting.BATCH_SIZE || config.batchSize() == centre.batchSize());
    }

    private static boolean wasComparedFor(TrialLine trial, Setting setting) {
        Phase phase = switch (setting) {
            case NUM_WORKERS -> Phase.WORKERS;
            case PREFETCH_FACTOR -> Phase.PREFETCH_FACTOR;
            case PIN_MEMORY -> Phase.PIN_MEMORY;
            case BATCH_SIZE -> Phase.BATCH_SIZE;
        };
        return trial.record().rounds().stream().map(RoundRecord::phase).anyMatch(phase::equals)
                || (trial.record().failure() != null && trial.record().failure().phase() == phase);
    }

    /** The rates between which the ties lie. */
    private List<Plot.Area> bands() {
        List<TrialLine> ties = trials.stream()
                .filter(trial -> trial.tied() && trial.throughput() != null)
                .toList();
        if (ties.size() < 2) {
            return List.of();
        }
        double top =
                rates.at(ties.stream().mapToDouble(SettingPlots::highest).max().orElse(0));
        double bottom =
                rates.at(ties.stream().mapToDouble(SettingPlots::lowest).min().orElse(0));
        return List.of(new Plot.Area(
                Plot.LEFT, top, (double) WIDTH - Plot.RIGHT - Plot.LEFT, Math.max(2, bottom - top), "ties", ""));
    }

    private static double lowest(TrialLine trial) {
        Throughput known = trial.throughput();
        Double low = known == null ? null : known.low();
        return low == null ? trial.rate() : low;
    }

    /** A line through those that have all other settings in common, and thicker the steps that the search took. */
    private List<Plot.Line> lines(Places places, List<TrialLine> shown) {
        List<Plot.Line> lines = new ArrayList<>();
        for (List<TrialLine> row : rows(places, shown)) {
            if (row.size() > 1) {
                boolean beside = row.stream().allMatch(trial -> isBeside(trial.config(), places.setting()));
                lines.add(Plot.through(
                        row.stream().map(trial -> point(trial, places)).toList(), beside ? "slice" : "elsewhere"));
            }
        }
        for (Explanation step : explanation) {
            if (step.decision() == Decision.MOVED
                    && step.setting().equals(places.setting().parameterName())) {
                rows(places, shown).stream()
                        .map(row -> row.stream()
                                .filter(trial -> {
                                    String value = places.setting().valueIn(trial.config());
                                    return value.equals(step.from()) || value.equals(step.to());
                                })
                                .map(trial -> point(trial, places))
                                .toList())
                        .filter(way -> way.size() == 2)
                        .findFirst()
                        .ifPresent(way -> lines.add(Plot.through(way, "way")));
            }
        }
        return lines;
    }

    /** Those measured that differ in this setting alone, by its values; the row with most of them first. */
    private static List<List<TrialLine>> rows(Places places, List<TrialLine> shown) {
        Setting setting = places.setting();
        Map<List<Object>, List<TrialLine>> rows = new LinkedHashMap<>();
        List<TrialLine> measured = shown.stream()
                .filter(trial -> trial.throughput() != null)
                .sorted(Comparator.comparing(places::of))
                .toList();
        measured.stream()
                .filter(trial ->
                        setting != Setting.NUM_WORKERS || trial.config().numWorkers() > 0)
                .forEach(trial -> rows.computeIfAbsent(others(trial.config(), setting), any -> new ArrayList<>())
                        .add(trial));
        // Without workers there is no prefetch factor to differ in.
        measured.stream()
                .filter(trial ->
                        setting == Setting.NUM_WORKERS && trial.config().numWorkers() == 0)
                .forEach(trial -> rows.entrySet().stream()
                        .filter(row -> row.getKey()
                                .subList(2, 4)
                                .equals(others(trial.config(), setting).subList(2, 4)))
                        .forEach(row -> row.getValue().add(0, trial)));
        return rows.values().stream()
                .sorted(Comparator.comparing(row -> -row.size()))
                .toList();
    }

    private static List<Object> others(LoaderConfig config, Setting setting) {
        return Stream.of(Setting.values())
                .map(one -> (Object) (one == setting ? "" : one.valueIn(config)))
                .toList();
    }

    private double[] point(TrialLine trial, Places places) {
        return new double[] {places.of(trial), rates.at(trial.rate())};
    }

    private Plot.Mark mark(TrialLine trial, Places places, boolean elsewhere) {
        String tip = trial.tip() + sentences(places.setting(), places.setting().valueIn(trial.config()));
        Throughput known = trial.throughput();
        if (known == null) {
            String kind = trial.state() == TrialState.FAILED ? "failed" : "running";
            return new Plot.Mark(places.of(trial), bottom(), null, null, kind, tip, "", trial.address());
        }
        Double low = known.low();
        Double high = known.high();
        return new Plot.Mark(
                places.of(trial),
                rates.at(trial.rate()),
                low == null ? null : Double.valueOf(rates.at(low)),
                high == null ? null : Double.valueOf(rates.at(high)),
                elsewhere && trial.kind().equals("plain") ? "elsewhere" : trial.kind(),
                tip,
                trial.isChosen() ? "recommended" : "",
                trial.address());
    }

    private Plot.Mark skipMark(Skip skip, Places places) {
        String tip = "Not tried: " + skip.config().describe() + " — " + skip.reason();
        return new Plot.Mark(
                places.of(places.setting().valueIn(skip.config())), bottom(), null, null, "skipped", tip, "", null);
    }

    private static double bottom() {
        return (double) HEIGHT - Plot.BOTTOM - ABOVE_BOTTOM;
    }

    /** What the search said of this value. */
    private String sentences(Setting setting, String value) {
        StringBuilder said = new StringBuilder();
        explanation.stream()
                .filter(step -> step.setting().equals(setting.parameterName())
                        && value.equals(step.to())
                        && step.decision() != Decision.NOT_SEARCHED)
                .map(Explanation::text)
                .distinct()
                .forEach(text -> said.append('\n').append(text));
        return said.toString();
    }

    private String summary(Setting setting, List<TrialLine> around, List<String> values) {
        StringBuilder text = new StringBuilder("Throughput against ").append(setting.parameterName());
        text.append(", ").append(Words.count(values.size(), "value")).append(": ");
        around.stream()
                .filter(trial -> trial.throughput() != null)
                .sorted(Comparator.comparing(trial -> setting.valueIn(trial.config()), BY_VALUE))
                .forEach(trial -> text.append(setting.valueIn(trial.config()))
                        .append(" gave ")
                        .append(Words.rate(trial.throughput()))
                        .append(", "));
        return text.append("recommended is ").append(setting.valueIn(centre)).toString();
    }

    /** Where each value of a setting stands: as far from its neighbours as all others. */
    private record Places(Setting setting, List<String> values) {
        double of(String value) {
            double room = WIDTH - Plot.LEFT - Plot.RIGHT - 2 * MARGIN;
            return Plot.LEFT + MARGIN + room * values.indexOf(value) / (values.size() - 1);
        }

        double of(TrialLine trial) {
            return of(setting.valueIn(trial.config()));
        }
    }
}
