package io.loadertuner.core.cli;

import io.loadertuner.core.json.TunerJson;
import io.loadertuner.core.replay.NoiseProfile;
import io.loadertuner.core.replay.RecordedSurface;
import io.loadertuner.core.replay.ReplaySummary;
import io.loadertuner.core.replay.ReplaySummary.Quantiles;
import io.loadertuner.core.replay.ReplayedMachine;
import io.loadertuner.core.replay.ReplayedStudy;
import io.loadertuner.core.space.LoaderConfig;
import io.loadertuner.core.space.SearchSpace;
import io.loadertuner.core.study.Budget;
import io.loadertuner.core.study.GuardedSearch;
import io.loadertuner.core.study.SearchSettings;
import io.loadertuner.core.study.sampler.SamplerKind;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code loader-tuner replay}: runs searches offline over a recorded surface, with noise. Measures nothing. */
@Command(
        name = "replay",
        mixinStandardHelpOptions = true,
        description = {
            "Runs studies offline over a recorded surface with simulated noise, and prints regret and cost.",
            "Nothing is measured: the surface is the truth, noise and drift are added to it."
        })
final class ReplayCommand implements Callable<Integer> {
    @Parameters(paramLabel = "SURFACE", description = "CSV file: a recorded surface, or a study's surface.csv")
    private @Nullable Path surfaceFile;

    @Option(names = "--dataset", required = true, description = "Which dataset of the surface.")
    private String dataset = "";

    @Option(
            names = "--batch-size",
            split = ",",
            description = "Batch sizes of the space; all of the surface where none is given.")
    private List<Integer> batchSizes = List.of();

    @Option(
            names = "--baseline",
            paramLabel = "WORKERS,PREFETCH,BATCH",
            description = "What the user runs today: 2,2,64; PREFETCH is 0 without workers.",
            required = true)
    private String baseline = "";

    @Option(
            names = "--step-samples-per-second",
            description = "What the training step alone takes in, where the surface was recorded with one.")
    private @Nullable Double stepSamplesPerSecond;

    @Option(names = "--loader-alone", description = "Which dataset of the surface is the loader without the step.")
    private @Nullable String loaderAlone;

    @Option(
            names = "--noise",
            defaultValue = "shared",
            paramLabel = "PROFILE",
            description = "shared, quiet, none, or ROUND,DRIFT as deviations of the rate's logarithm: 0.075,0.10.")
    private String noise = "shared";

    @Option(names = "--cores", defaultValue = "2", description = "Usable cores.")
    private double cores = 2;

    @Option(names = "--budget", defaultValue = "300", description = "Seconds of a study.")
    private int budgetSeconds = 300;

    @Option(names = "--trials", defaultValue = "60", description = "Configs of a study.")
    private int budgetTrials = 60;

    @Option(names = "--repeats", defaultValue = "200", description = "Studies, with the seeds 0, 1, 2, …")
    private int repeats = 200;

    @Option(
            names = "--sampler",
            defaultValue = "one_at_a_time",
            description = "one_at_a_time, genetic, random or grid.")
    private String sampler = "one_at_a_time";

    @Option(
            names = "--interactive",
            description = {
                "Run no search: read SEED to begin a study, then WORKERS,PREFETCH,BATCH line by line, and answer each with",
                "SAMPLES_PER_SECOND ROUND_SECONDS ELAPSED_SECONDS TRUE_SAMPLES_PER_SECOND. For driving other optimisers over",
                "the same surface with the same noise."
            })
    private boolean interactive;

    @Option(names = "--json", description = "Print the figures as one JSON object.")
    private boolean json;

    @Spec
    private @Nullable CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        RecordedSurface surface = surface();
        SearchSpace whole = surface.space();
        SearchSpace space = batchSizes.isEmpty()
                ? whole
                : new SearchSpace(
                        whole.numWorkers(), whole.prefetchFactor(), whole.pinMemory(), batchSizes, true, null);
        NoiseProfile profile = profile();
        PrintWriter out = commandSpec().commandLine().getOut();
        if (interactive) {
            new InteractiveReplay(surface, profile, out)
                    .run(new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)));
            return 0;
        }
        SamplerKind kind = samplerKind();
        List<ReplayedStudy> studies = LongStream.range(0, repeats)
                .parallel()
                .mapToObj(seed -> ReplayedStudy.run(
                        new GuardedSearch(settings(space, surface, seed), kind.create()),
                        new ReplayedMachine(surface, profile, seed)))
                .toList();
        ReplaySummary summary = ReplaySummary.of(studies, settings(space, surface, 0), surface);
        if (json) {
            out.println(TunerJson.mapper().writeValueAsString(summary));
        } else {
            print(out, summary);
        }
        out.flush();
        return 0;
    }

    private SearchSettings settings(SearchSpace space, RecordedSurface surface, long seed) {
        return new SearchSettings(
                space,
                baselineConfig(),
                cores,
                surface.stepSamplesPerSecond(),
                0,
                config -> Optional.empty(),
                new Budget(budgetSeconds, budgetTrials),
                seed,
                List.of());
    }

    private RecordedSurface surface() throws IOException {
        if (surfaceFile == null) {
            throw refused("SURFACE is missing");
        }
        List<String> lines = Files.readAllLines(surfaceFile);
        try {
            RecordedSurface surface = RecordedSurface.read(lines, dataset);
            return stepSamplesPerSecond == null
                    ? surface
                    : surface.withStep(
                            stepSamplesPerSecond,
                            RecordedSurface.read(lines, loaderAlone == null ? dataset : loaderAlone));
        } catch (IllegalArgumentException unreadable) {
            throw refused(surfaceFile + ": " + unreadable.getMessage());
        }
    }

    private LoaderConfig baselineConfig() {
        try {
            return ConfigLine.parse(baseline);
        } catch (IllegalArgumentException notThree) {
            throw refused("--baseline " + notThree.getMessage());
        }
    }

    private SamplerKind samplerKind() {
        return SamplerKind.named(sampler)
                .orElseThrow(() -> refused("--sampler must be one of " + String.join(", ", SamplerKind.codes())
                        + ", but is '" + sampler + "'"));
    }

    private NoiseProfile profile() {
        return switch (noise) {
            case "shared" -> NoiseProfile.SHARED;
            case "quiet" -> NoiseProfile.QUIET;
            case "none" -> NoiseProfile.NONE;
            default -> deviations();
        };
    }

    private NoiseProfile deviations() {
        String[] parts = noise.split(",", -1);
        try {
            return new NoiseProfile(
                    Double.parseDouble(parts[0]),
                    Double.parseDouble(parts[1]),
                    NoiseProfile.SHARED.driftMemorySeconds());
        } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException notTwo) {
            throw refused(
                    "--noise must be shared, quiet, none or two deviations such as 0.075,0.10, but is '" + noise + "'");
        }
    }

    private ParameterException refused(String why) {
        return new ParameterException(commandSpec().commandLine(), why);
    }

    private CommandSpec commandSpec() {
        if (spec == null) {
            throw new IllegalStateException("not run by picocli");
        }
        return spec;
    }

    private static void print(PrintWriter out, ReplaySummary summary) {
        out.printf(Locale.ROOT, "%d replayed studies (a model of noise over recorded rates)%n", summary.studies());
        out.printf(Locale.ROOT, "%-14s %8s %8s %8s %8s%n", "", "p10", "median", "p90", "p95");
        row(out, "regret %", summary.regretPercent());
        row(out, "seconds", summary.seconds());
        row(out, "trials", summary.trials());
        out.printf(
                Locale.ROOT,
                "best is %.1f %% above the baseline; baseline left %.1f %%; at least half of the gain %.1f %%;"
                        + " slower than the baseline %.1f %%, by more than 3 %% %.1f %%%n",
                summary.availableGainPercent(),
                100 * summary.leftBaseline(),
                100 * summary.halfOfGain(),
                100 * summary.worseThanBaseline(),
                100 * summary.losesOverThreePercent());
    }

    private static void row(PrintWriter out, String name, Quantiles of) {
        out.printf(Locale.ROOT, "%-14s %8.2f %8.2f %8.2f %8.2f%n", name, of.p10(), of.median(), of.p90(), of.p95());
    }
}
