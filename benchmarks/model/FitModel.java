import io.loadertuner.core.model.LoaderModel;
import io.loadertuner.core.model.ModelledCores;
import io.loadertuner.core.model.ModelledDataset;
import io.loadertuner.core.model.ModelledLength;
import io.loadertuner.core.model.ModelledMachine;
import io.loadertuner.core.model.ModelledRun;
import io.loadertuner.core.model.ModelledStep;
import io.loadertuner.core.model.ModelledTransfer;
import io.loadertuner.core.model.SampleCost;
import io.loadertuner.core.space.LoaderConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * Fits the parameters of a modelled dataset and machine to a few measured rates, and tells how far the model is from
 * those and from others. Run as a source file on the core's classes; README.md beside it shows how.
 */
public final class FitModel {
    private static final int EVALUATIONS = 2_500;
    private static final int CYCLES_WHILE_FITTING = 16;
    private static final double WEIGHT_OF_GUESS = 0.001;
    private static final int LISTED_ERRORS = 5;

    /** What is fitted, in seconds except for the last two, with a first guess that depends on the rates seen. */
    private enum Parameter {
        CPU_SECONDS_PER_SAMPLE,
        WAIT_SECONDS_PER_SAMPLE,
        SHARED_MEMORY_SECONDS_PER_SAMPLE,
        FRESH_MEMORY_SECONDS_PER_SAMPLE,
        COLLATE_SECONDS_PER_BATCH,
        SEND_SECONDS_PER_BATCH,
        RECEIVE_SECONDS_PER_BATCH,
        CONTENTION,
        SWITCHING
    }

    private record Point(int workers, int prefetch, int batchSize) {
        LoaderConfig config() {
            return LoaderConfig.of(workers, prefetch, false, batchSize, false, null);
        }

        static Point of(String text) {
            int[] parts =
                    Arrays.stream(text.split("/")).mapToInt(Integer::parseInt).toArray();
            return new Point(parts[0], parts[1], parts[2]);
        }

        @Override
        public String toString() {
            return workers + "/" + prefetch + "/" + batchSize;
        }
    }

    private final Map<String, String> options;
    private final double cores;
    private final long bytesPerSample;

    private FitModel(Map<String, String> options) {
        this.options = options;
        this.cores = Double.parseDouble(options.getOrDefault("cores", "2"));
        this.bytesPerSample = Long.parseLong(options.getOrDefault("bytes-per-sample", "0"));
    }

    public static void main(String[] arguments) throws IOException {
        Map<String, String> options = new HashMap<>();
        for (int index = 0; index + 1 < arguments.length; index += 2) {
            options.put(arguments[index].substring(2), arguments[index + 1]);
        }
        if (arguments.length % 2 != 0 || !options.containsKey("fit")) {
            System.err.println("usage: FitModel.java --fit FILE.csv [--dataset NAME] [--runs NAME,…]"
                    + " [--on WORKERS/PREFETCH/BATCH,…] [--cores 2] [--bytes-per-sample N] [--compare FILE.csv]"
                    + " [--compare-dataset NAME] [--compare-runs NAME,…] [--step-seconds S] [--step-cpu-seconds S]");
            System.exit(2);
        }
        new FitModel(options).run();
    }

    private void run() throws IOException {
        Map<Point, Double> seen = read(options.get("fit"), options.get("dataset"), options.get("runs"));
        Map<Point, Double> few = few(seen);
        double[] parameters = fit(few);

        Map<Point, Double> others = options.containsKey("compare")
                ? read(
                        options.get("compare"),
                        options.getOrDefault("compare-dataset", options.get("dataset")),
                        options.get("compare-runs"))
                : new LinkedHashMap<>(seen);
        ModelledStep step = ModelledStep.of(Double.parseDouble(options.getOrDefault("step-seconds", "0")))
                .withHostCpuSeconds(Double.parseDouble(options.getOrDefault("step-cpu-seconds", "0")));
        boolean withStep = !step.equals(ModelledStep.none());
        if (!withStep) {
            others.keySet().removeAll(few.keySet());
        }
        print(parameters, few, others, step);
    }

    /** Median rate of each config. */
    private static Map<Point, Double> read(String file, String dataset, String runs) throws IOException {
        List<String> lines = Files.readAllLines(Path.of(file));
        List<String> columns = List.of(lines.get(0).split(","));
        Set<String> wanted = runs == null ? Set.of() : new HashSet<>(List.of(runs.split(",")));
        Map<Point, List<Double>> rates = new LinkedHashMap<>();
        for (String line : lines.subList(1, lines.size())) {
            Map<String, String> row = new HashMap<>();
            String[] cells = line.split(",");
            for (int column = 0; column < cells.length; column++) {
                row.put(columns.get(column), cells[column]);
            }
            boolean other =
                    dataset != null && !row.getOrDefault("dataset", dataset).equals(dataset);
            boolean otherRun = !wanted.isEmpty() && !wanted.contains(row.get("run"));
            boolean disturbed = row.getOrDefault("clean", "True").equals("False");
            if (!other && !otherRun && !disturbed) {
                int workers = Integer.parseInt(row.get("num_workers"));
                String prefetch = row.getOrDefault("prefetch_factor", "");
                Point point = new Point(
                        workers,
                        workers == 0 ? 0 : Integer.parseInt(prefetch),
                        Integer.parseInt(row.get("batch_size")));
                rates.computeIfAbsent(point, any -> new ArrayList<>())
                        .add(Double.parseDouble(row.get("samples_per_second")));
            }
        }
        Map<Point, Double> medians = new TreeMap<>(Comparator.comparing(Point::batchSize)
                .thenComparing(Point::workers)
                .thenComparing(Point::prefetch));
        rates.forEach((point, values) -> medians.put(point, quantile(values, 0.5)));
        return medians;
    }

    /** The configs to fit on: those named, or prefetch 2 with 0, 1, cores, 2 × cores workers and the extreme batches. */
    private Map<Point, Double> few(Map<Point, Double> seen) {
        Map<Point, Double> few = new LinkedHashMap<>();
        if (options.containsKey("on")) {
            for (String text : options.get("on").split(",")) {
                few.put(Point.of(text), seen.get(Point.of(text)));
            }
            return few;
        }
        int least = seen.keySet().stream().mapToInt(Point::batchSize).min().orElseThrow();
        int most = seen.keySet().stream().mapToInt(Point::batchSize).max().orElseThrow();
        for (int batch : new int[] {least, most}) {
            for (int workers : new int[] {0, 1, (int) cores, (int) (2 * cores)}) {
                Point point = new Point(workers, workers == 0 ? 0 : 2, batch);
                if (seen.containsKey(point)) {
                    few.put(point, seen.get(point));
                }
            }
        }
        return few;
    }

    private double[] fit(Map<Point, Double> few) {
        double[] guess = guess(few);
        ToDoubleFunction<double[]> loss = parameters -> {
            double sum = 0;
            for (int index = 0; index < guess.length; index++) {
                double away = parameters[index] - guess[index];
                sum += WEIGHT_OF_GUESS * away * away;
            }
            LoaderModel model = model(parameters, ModelledStep.none());
            for (Map.Entry<Point, Double> entry : few.entrySet()) {
                double error = Math.log(quickRate(model, entry.getKey()) / entry.getValue());
                sum += error * error;
            }
            return sum;
        };
        double[] once = descend(guess, loss);
        return descend(once, loss);
    }

    /** Logarithms of first guesses. */
    private static double[] guess(Map<Point, Double> few) {
        double alone = slowest(few, 0);
        double worker = slowest(few, 1);
        double cpu = Double.isNaN(alone) ? worker / 2 : alone;
        double inWorker = Double.isNaN(worker) ? cpu * 1.2 : Math.max(worker, cpu * 1.05);
        double[] values = {cpu, cpu / 20, inWorker - cpu * 0.9, cpu / 5, 3e-4, 1e-3, 3e-4, 0.1, 0.02};
        return Arrays.stream(values).map(Math::log).toArray();
    }

    private static double slowest(Map<Point, Double> few, int workers) {
        return few.entrySet().stream()
                .filter(entry -> entry.getKey().workers() == workers)
                .mapToDouble(entry -> 1 / entry.getValue())
                .min()
                .orElse(Double.NaN);
    }

    private LoaderModel model(double[] logarithms, ModelledStep step) {
        double[] values = Arrays.stream(logarithms).map(Math::exp).toArray();
        ToDoubleFunction<Parameter> value = parameter -> values[parameter.ordinal()];
        long bytes = Math.max(1, bytesPerSample);
        ModelledTransfer transfer = new ModelledTransfer(
                bytes / value.applyAsDouble(Parameter.SHARED_MEMORY_SECONDS_PER_SAMPLE),
                value.applyAsDouble(Parameter.SEND_SECONDS_PER_BATCH),
                value.applyAsDouble(Parameter.RECEIVE_SECONDS_PER_BATCH),
                Double.POSITIVE_INFINITY,
                ModelledTransfer.GLIBC_REUSED_BYTES,
                bytes / value.applyAsDouble(Parameter.FRESH_MEMORY_SECONDS_PER_SAMPLE),
                Double.POSITIVE_INFINITY,
                Double.POSITIVE_INFINITY,
                Double.POSITIVE_INFINITY);
        ModelledCores shared = new ModelledCores(
                cores, value.applyAsDouble(Parameter.CONTENTION), value.applyAsDouble(Parameter.SWITCHING));
        ModelledDataset dataset = new ModelledDataset(
                options.getOrDefault("dataset", "fitted"),
                SampleCost.constant(value.applyAsDouble(Parameter.CPU_SECONDS_PER_SAMPLE)),
                SampleCost.constant(value.applyAsDouble(Parameter.WAIT_SECONDS_PER_SAMPLE)),
                bytes,
                value.applyAsDouble(Parameter.COLLATE_SECONDS_PER_BATCH));
        return new LoaderModel(ModelledMachine.ideal(cores).withCores(shared).withTransfer(transfer), dataset, step);
    }

    private static double rate(LoaderModel model, Point point) {
        return model.steadyRate(point.config()).orElseThrow();
    }

    /** Over few cycles: the fit asks for thousands. */
    private static double quickRate(LoaderModel model, Point point) {
        LoaderConfig config = point.config();
        int first = config.batchesInFlight() + 2 * config.cycle();
        int last = first + CYCLES_WHILE_FITTING * config.cycle();
        ModelledRun run = model.run(config, ModelledLength.ofBatches(last + 1), 1);
        List<Long> arrivals = ((ModelledRun.Delivered) run).arrivalsMicros();
        return (last - first) * point.batchSize() * 1e6 / (arrivals.get(last) - arrivals.get(first));
    }

    /** Nelder and Mead's simplex. */
    private static double[] descend(double[] start, ToDoubleFunction<double[]> loss) {
        int size = start.length;
        List<double[]> simplex = new ArrayList<>();
        Map<double[], Double> losses = new HashMap<>();
        for (int vertex = 0; vertex <= size; vertex++) {
            double[] point = start.clone();
            if (vertex < size) {
                point[vertex] += 0.5;
            }
            simplex.add(point);
            losses.put(point, loss.applyAsDouble(point));
        }
        int evaluations = simplex.size();
        while (evaluations < EVALUATIONS / 2) {
            simplex.sort(Comparator.comparing(losses::get));
            double[] worst = simplex.get(size);
            double[] centre = new double[size];
            for (double[] point : simplex.subList(0, size)) {
                for (int index = 0; index < size; index++) {
                    centre[index] += point[index] / size;
                }
            }
            double[] reflected = between(centre, worst, -1);
            double reflectedLoss = loss.applyAsDouble(reflected);
            evaluations += 2;
            double[] better = reflected;
            double betterLoss = reflectedLoss;
            if (reflectedLoss < losses.get(simplex.get(0))) {
                double[] further = between(centre, worst, -2);
                double furtherLoss = loss.applyAsDouble(further);
                if (furtherLoss < reflectedLoss) {
                    better = further;
                    betterLoss = furtherLoss;
                }
            } else if (reflectedLoss >= losses.get(simplex.get(size - 1))) {
                double[] nearer = between(centre, worst, reflectedLoss < losses.get(worst) ? -0.5 : 0.5);
                double nearerLoss = loss.applyAsDouble(nearer);
                if (nearerLoss < Math.min(reflectedLoss, losses.get(worst))) {
                    better = nearer;
                    betterLoss = nearerLoss;
                }
            }
            if (betterLoss < losses.get(worst)) {
                simplex.set(size, better);
                losses.put(better, betterLoss);
            } else {
                double[] best = simplex.get(0);
                for (int vertex = 1; vertex <= size; vertex++) {
                    double[] shrunk = between(best, simplex.get(vertex), 0.5);
                    simplex.set(vertex, shrunk);
                    losses.put(shrunk, loss.applyAsDouble(shrunk));
                    evaluations++;
                }
            }
        }
        simplex.sort(Comparator.comparing(losses::get));
        return simplex.get(0);
    }

    private static double[] between(double[] from, double[] to, double share) {
        double[] point = new double[from.length];
        for (int index = 0; index < point.length; index++) {
            point[index] = from[index] + share * (to[index] - from[index]);
        }
        return point;
    }

    private void print(double[] parameters, Map<Point, Double> few, Map<Point, Double> others, ModelledStep step) {
        StringJoiner fitted = new StringJoiner(",\n", "  \"parameters\": {\n", "\n  }");
        for (Parameter parameter : Parameter.values()) {
            fitted.add(String.format(
                    Locale.ROOT,
                    "    \"%s\": %.4g",
                    parameter.name().toLowerCase(Locale.ROOT),
                    Math.exp(parameters[parameter.ordinal()])));
        }
        String on = few.keySet().stream().map(point -> "\"" + point + "\"").collect(Collectors.joining(", "));
        System.out.println("{");
        System.out.printf("  \"dataset\": \"%s\",%n", options.getOrDefault("dataset", "fitted"));
        System.out.printf(Locale.ROOT, "  \"cores\": %s,%n  \"bytes_per_sample\": %d,%n", cores, bytesPerSample);
        System.out.println(fitted + ",");
        System.out.println("  \"fitted_on\": [" + on + "],");
        System.out.println("  \"errors_where_fitted\": " + errors(model(parameters, ModelledStep.none()), few) + ",");
        System.out.println("  \"errors_elsewhere\": " + errors(model(parameters, step), others));
        System.out.println("}");
    }

    /** Of model against measurement, relative to the measurement. */
    private static String errors(LoaderModel model, Map<Point, Double> measured) {
        Map<Point, Double> modelled = new HashMap<>();
        Map<Point, Double> errors = new HashMap<>();
        measured.forEach((point, rate) -> {
            modelled.put(point, rate(model, point));
            errors.put(point, modelled.get(point) / rate - 1);
        });
        List<Double> sizes = errors.values().stream().map(Math::abs).toList();
        if (sizes.isEmpty()) {
            return "null";
        }
        long within = sizes.stream().filter(error -> error <= 0.1).count();
        String worst = errors.keySet().stream()
                .sorted(Comparator.comparingDouble((Point point) -> -Math.abs(errors.get(point))))
                .limit(LISTED_ERRORS)
                .map(point -> String.format(
                        Locale.ROOT,
                        "{\"config\": \"%s\", \"measured\": %.1f, \"modelled\": %.1f, \"error\": %.3f}",
                        point,
                        measured.get(point),
                        modelled.get(point),
                        errors.get(point)))
                .collect(Collectors.joining(",\n      "));
        return String.format(
                Locale.ROOT,
                "{%n    \"configs\": %d, \"median\": %.3f, \"p90\": %.3f, \"share_within_10_percent\": %.2f,%n"
                        + "    \"worst\": [%n      %s]%n  }",
                sizes.size(),
                quantile(sizes, 0.5),
                quantile(sizes, 0.9),
                within / (double) sizes.size(),
                worst);
    }

    private static double quantile(List<Double> values, double share) {
        List<Double> sorted = values.stream().sorted().toList();
        double place = share * (sorted.size() - 1);
        int below = (int) place;
        int above = Math.min(below + 1, sorted.size() - 1);
        return sorted.get(below) + (place - below) * (sorted.get(above) - sorted.get(below));
    }
}
