package io.loadertuner.service.page;

import io.loadertuner.core.measure.Throughput;
import io.loadertuner.core.study.Recommendation.Kind;
import io.loadertuner.core.tuning.StudyReport;
import io.loadertuner.core.tuning.StudyReport.Recommended;
import io.loadertuner.service.study.ShownStudy;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Some studies side by side.
 *
 * @param rows what they have; those in which they differ are marked
 * @param plot the rates of their baselines and of what they recommend
 */
public record ComparePage(List<Column> columns, List<Row> rows, Plot plot) {
    static final int FEWEST = 2;
    static final int MOST = 4;

    private static final int WIDTH = 640;
    private static final int HEIGHT = 300;
    private static final double APART = 16;

    /** A study. */
    public record Column(String id, String dataset, String state, String createdAt) {}

    /** @param values one for each study */
    public record Row(String name, List<String> values, boolean differs) {}

    static ComparePage of(List<ShownStudy> studies) {
        Map<String, Function<StudyReport, String>> asked = new LinkedHashMap<>();
        asked.put("version", StudyReport::version);
        asked.put("device", report -> Objects.toString(report.device(), Words.UNKNOWN));
        asked.put("objective", report -> Words.plain(report.objective()));
        asked.put(
                "baseline",
                report -> report.baseline() == null
                        ? Words.UNKNOWN
                        : report.baseline().config().describe());
        asked.put(
                "baseline's throughput",
                report -> report.baseline() == null || report.baseline().throughput() == null
                        ? Words.UNKNOWN
                        : Words.rate(report.baseline().throughput()) + " ("
                                + Words.interval(report.baseline().throughput()) + ")");
        asked.put("recommended", report -> recommended(report, best -> Words.plain(best.kind())));
        asked.put(
                "throughput",
                report -> recommended(
                        report,
                        best -> Words.rate(best.throughput()) + " (" + Words.interval(best.throughput()) + ")"));
        asked.put(
                "gain",
                report -> recommended(
                        report,
                        best -> best.kind() == Kind.KEPT
                                ? "none, it is the baseline"
                                : best.speedup() == null ? "the baseline fails" : Words.ratio(best.speedup())));
        asked.put(
                "bottleneck",
                report -> report.bottleneck() == null
                        ? Words.UNKNOWN
                        : Words.plain(report.bottleneck().verdict()));
        asked.put(
                "resolvable difference",
                report -> report.resolvableDifference() == null
                        ? Words.UNKNOWN
                        : Words.percent(report.resolvableDifference()));
        asked.put("trials", report -> String.valueOf(report.progress().trials()));
        asked.put("took", report -> Words.seconds(report.progress().secondsUsed()));
        List<Row> rows = new ArrayList<>();
        rows.add(row(
                "machine type", studies.stream().map(ShownStudy::machineType).toList()));
        asked.forEach((name, value) -> rows.add(row(name, values(studies, value))));
        settings(studies)
                .forEach(setting -> rows.add(row(
                        setting,
                        values(
                                studies,
                                report -> recommended(
                                        report,
                                        best -> Answer.settings(best.config(), best.config()).stream()
                                                .filter(line -> line.setting().equals(setting))
                                                .map(Answer.Line::value)
                                                .findFirst()
                                                .orElse("none"))))));
        return new ComparePage(
                studies.stream()
                        .map(study -> new Column(
                                study.id(),
                                study.dataset(),
                                Words.plain(study.state()),
                                study.createdAt().toString()))
                        .toList(),
                rows,
                plot(studies));
    }

    private static Plot plot(List<ShownStudy> studies) {
        List<Rate> rates = new ArrayList<>();
        for (int index = 0; index < studies.size(); index++) {
            int place = index;
            ShownStudy study = studies.get(index);
            study.report().map(StudyReport::baseline).ifPresent(baseline -> {
                if (baseline.throughput() != null) {
                    rates.add(new Rate(place, "baseline", "baseline", baseline.throughput(), study));
                }
            });
            study.report()
                    .map(StudyReport::recommendation)
                    .ifPresent(best -> rates.add(new Rate(place, "chosen", "recommended", best.throughput(), study)));
        }
        Axis axis = Axis.fromZero(
                rates.stream().mapToDouble(Rate::highest).max().orElse(0), (double) HEIGHT - Plot.BOTTOM, Plot.TOP);
        double room = (double) (WIDTH - Plot.LEFT - Plot.RIGHT) / studies.size();
        List<Plot.Tick> xs = new ArrayList<>();
        for (int index = 0; index < studies.size(); index++) {
            ShownStudy study = studies.get(index);
            xs.add(new Plot.Tick(Plot.LEFT + room * (index + 0.5), (index + 1) + ": " + study.dataset()));
        }
        return new Plot(
                "compared",
                "Throughput",
                "Throughput of the baseline and of what is recommended, for each study: "
                        + rates.stream().map(Rate::tip).collect(Collectors.joining("; ")),
                "study",
                "samples/s",
                WIDTH,
                HEIGHT,
                xs,
                axis.ticks(4, Words::tick),
                List.of(),
                List.of(),
                rates.stream()
                        .map(rate -> rate.mark(
                                axis,
                                Plot.LEFT
                                        + room * (rate.place() + 0.5)
                                        + (rate.kind().equals("chosen") ? 1 : -1) * APART))
                        .toList(),
                List.of(new Plot.Key("mark-baseline", "baseline"), new Plot.Key("mark-chosen", "recommended")));
    }

    /** @param place of its study */
    private record Rate(int place, String kind, String what, Throughput throughput, ShownStudy study) {
        double highest() {
            Double high = throughput.high();
            return high == null ? throughput.samplesPerSecond() : high;
        }

        String tip() {
            return study.dataset() + " on " + study.machineType() + ", " + what + ": " + Words.rate(throughput) + " ("
                    + Words.interval(throughput) + ")";
        }

        Plot.Mark mark(Axis axis, double x) {
            Double low = throughput.low();
            Double high = throughput.high();
            return new Plot.Mark(
                    x,
                    axis.at(throughput.samplesPerSecond()),
                    low == null ? null : Double.valueOf(axis.at(low)),
                    high == null ? null : Double.valueOf(axis.at(high)),
                    kind,
                    tip(),
                    "",
                    StudiesController.PATH + "/" + study.id());
        }
    }

    private static Set<String> settings(List<ShownStudy> studies) {
        Set<String> names = new LinkedHashSet<>();
        for (ShownStudy study : studies) {
            study.report()
                    .map(StudyReport::recommendation)
                    .ifPresent(best ->
                            Answer.settings(best.config(), best.config()).forEach(line -> names.add(line.setting())));
        }
        return names;
    }

    private static List<String> values(List<ShownStudy> studies, Function<StudyReport, String> value) {
        return studies.stream()
                .map(study -> study.report().map(value).orElse(Words.UNKNOWN))
                .toList();
    }

    private static String recommended(StudyReport report, Function<Recommended, String> value) {
        Recommended best = report.recommendation();
        return best == null ? Words.UNKNOWN : value.apply(best);
    }

    private static Row row(String name, List<String> values) {
        return new Row(name, values, values.stream().distinct().count() > 1);
    }
}
