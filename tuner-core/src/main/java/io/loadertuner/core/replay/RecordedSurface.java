package io.loadertuner.core.replay;

import io.loadertuner.core.space.LoaderConfig;
import io.loadertuner.core.space.SearchSpace;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * What was measured of every config of a space, smoothed. In CSV: one config a line, with the columns {@code dataset},
 * {@code num_workers}, {@code prefetch_factor} (0 without workers), {@code batch_size}, {@code samples_per_second},
 * {@code trial_overhead_seconds}, and where there are any {@code pin_memory}, {@code loader_alone_samples_per_second},
 * {@code step_samples_per_second}, {@code failure}, and {@code log_rate_deviation} with the {@code rounds} that it was seen
 * in.
 */
public final class RecordedSurface implements Surface {

    /**
     * One config.
     *
     * @param noise empty where it is not recorded
     * @param failure empty where it works
     */
    private record Point(
            double samplesPerSecond,
            double loaderAlone,
            double overheadSeconds,
            Optional<RecordedNoise> noise,
            Optional<String> failure) {}

    /** The failure of a config that the surface knows nothing of: a study's surface has gaps. */
    public static final String NOT_RECORDED = "not_recorded";

    private final Map<LoaderConfig, Point> points;
    private final OptionalDouble stepSamplesPerSecond;

    private RecordedSurface(Map<LoaderConfig, Point> points, OptionalDouble stepSamplesPerSecond) {
        this.points = points;
        this.stepSamplesPerSecond = stepSamplesPerSecond;
    }

    /**
     * Reads one dataset's surface.
     *
     * @param lines of the file, the header first
     * @throws IllegalArgumentException naming the line, if it cannot be read or there is nothing of this dataset
     */
    public static RecordedSurface read(List<String> lines, String dataset) {
        List<String> header = lines.isEmpty() ? List.of() : cells(lines.get(0));
        Map<LoaderConfig, Point> points = new LinkedHashMap<>();
        OptionalDouble step = OptionalDouble.empty();
        for (int index = 1; index < lines.size(); index++) {
            Row row = new Row(header, cells(lines.get(index)), index + 1);
            if (lines.get(index).isBlank() || !row.text("dataset").equals(Optional.of(dataset))) {
                continue;
            }
            points.put(row.config(), row.point());
            step = row.number("step_samples_per_second");
        }
        if (points.isEmpty()) {
            throw new IllegalArgumentException("the surface has no line of the dataset '" + dataset + "'");
        }
        return new RecordedSurface(points, step);
    }

    /** The same surface where a step takes in so much at most. */
    public RecordedSurface withStep(double samplesPerSecond, RecordedSurface loaderAlone) {
        Map<LoaderConfig, Point> stepped = new LinkedHashMap<>();
        points.forEach((config, point) -> stepped.put(
                config,
                new Point(
                        point.samplesPerSecond(),
                        loaderAlone.samplesPerSecond(config),
                        point.overheadSeconds(),
                        point.noise(),
                        point.failure())));
        return new RecordedSurface(stepped, OptionalDouble.of(samplesPerSecond));
    }

    /** The smallest space that holds every config recorded. */
    public SearchSpace space() {
        return new SearchSpace(
                values(config -> Optional.of(config.numWorkers())),
                values(config -> Optional.ofNullable(config.prefetchFactor())),
                List.copyOf(new TreeSet<>(
                        points.keySet().stream().map(LoaderConfig::pinMemory).toList())),
                values(config -> Optional.of(config.batchSize())),
                true,
                null);
    }

    private List<Integer> values(Function<LoaderConfig, Optional<Integer>> value) {
        TreeSet<Integer> found = new TreeSet<>();
        points.keySet().forEach(config -> value.apply(config).ifPresent(found::add));
        return found.isEmpty() ? List.of(LoaderConfig.DEFAULT_PREFETCH) : List.copyOf(found);
    }

    @Override
    public double samplesPerSecond(LoaderConfig config) {
        return point(config).samplesPerSecond();
    }

    @Override
    public double loaderAloneSamplesPerSecond(LoaderConfig config) {
        return point(config).loaderAlone();
    }

    @Override
    public OptionalDouble stepSamplesPerSecond(LoaderConfig config) {
        return stepSamplesPerSecond;
    }

    @Override
    public double overheadSeconds(LoaderConfig config) {
        Point known = points.get(config);
        return known == null ? 0 : known.overheadSeconds();
    }

    @Override
    public Optional<RecordedNoise> recordedNoise(LoaderConfig config) {
        Point known = points.get(config);
        return known == null ? Optional.empty() : known.noise();
    }

    @Override
    public Optional<String> failure(LoaderConfig config) {
        Point known = points.get(config);
        return known == null ? Optional.of(NOT_RECORDED) : known.failure();
    }

    private Point point(LoaderConfig config) {
        Point known = points.get(config);
        if (known == null) {
            throw new IllegalArgumentException("the surface does not know " + config.describe());
        }
        return known;
    }

    private static List<String> cells(String line) {
        return Arrays.asList(line.strip().split(",", -1));
    }

    /** One line with the names of its cells. */
    private record Row(List<String> header, List<String> cells, int line) {

        LoaderConfig config() {
            int workers = (int) required("num_workers");
            int prefetch = (int) required("prefetch_factor");
            return LoaderConfig.of(
                    workers,
                    Math.max(1, prefetch),
                    text("pin_memory")
                            .filter(pinned -> pinned.equalsIgnoreCase("true"))
                            .isPresent(),
                    (int) required("batch_size"),
                    true,
                    null);
        }

        Point point() {
            Optional<String> failure = text("failure");
            double rate = failure.isPresent() ? 1 : required("samples_per_second");
            return new Point(
                    rate,
                    number("loader_alone_samples_per_second").orElse(rate),
                    number("trial_overhead_seconds").orElse(0),
                    noise(),
                    failure);
        }

        private Optional<RecordedNoise> noise() {
            OptionalDouble deviation = number("log_rate_deviation");
            if (deviation.isEmpty()) {
                return Optional.empty();
            }
            int rounds = (int) required("rounds");
            try {
                return Optional.of(new RecordedNoise(deviation.getAsDouble(), rounds));
            } catch (IllegalArgumentException outOfRange) {
                throw new IllegalArgumentException("line " + line + ": " + outOfRange.getMessage(), outOfRange);
            }
        }

        double required(String column) {
            return number(column).orElseThrow(() -> new IllegalArgumentException("line " + line + " has no " + column));
        }

        OptionalDouble number(String column) {
            Optional<String> text = text(column);
            if (text.isEmpty()) {
                return OptionalDouble.empty();
            }
            try {
                return OptionalDouble.of(Double.parseDouble(text.get()));
            } catch (NumberFormatException notANumber) {
                throw new IllegalArgumentException(
                        "line " + line + ": " + column + " must be a number, but is '" + text.get() + "'", notANumber);
            }
        }

        Optional<String> text(String column) {
            int index = header.indexOf(column);
            return index < 0 || index >= cells.size() || cells.get(index).isEmpty()
                    ? Optional.empty()
                    : Optional.of(cells.get(index));
        }
    }
}
