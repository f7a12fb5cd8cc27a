package io.loadertuner.core.cli;

import io.loadertuner.core.cli.ReplayedTruth.Choice;
import io.loadertuner.core.json.TunerJson;
import io.loadertuner.core.replay.ModelledSurface;
import io.loadertuner.core.replay.NoiseProfile;
import io.loadertuner.core.replay.RecordedSurface;
import io.loadertuner.core.replay.ReplaySummary;
import io.loadertuner.core.replay.ReplaySummary.Quantiles;
import io.loadertuner.core.replay.ReplayedMachine;
import io.loadertuner.core.replay.ReplayedStudy;
import io.loadertuner.core.replay.Surface;
import io.loadertuner.core.replay.SurfaceWithBaseline;
import io.loadertuner.core.space.InvalidFieldException;
import io.loadertuner.core.space.LoaderConfig;
import io.loadertuner.core.study.Budget;
import io.loadertuner.core.study.CostOrder;
import io.loadertuner.core.study.GuardedSearch;
import io.loadertuner.core.study.SearchSettings;
import io.loadertuner.core.study.sampler.SamplerKind;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.LongFunction;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code loader-tuner replay}: runs searches offline over a recorded surface or a model, with noise. Measures nothing. */
@Command(
        name = "replay",
        mixinStandardHelpOptions = true,
        description = {
            "Runs studies offline over a recorded surface or a model with simulated noise, and prints regret and cost.",
            "Nothing is measured: the surface is the truth, noise and drift are added to it."
        })
final class ReplayCommand implements Callable<Integer> {
    private static final String AS_RECORDED = "recorded";

    @Mixin
    private ReplayedTruth truth = new ReplayedTruth();

    @Option(
            names = "--baseline",
            paramLabel = "WORKERS,PREFETCH,BATCH",
            description = "What the user runs today: 2,2,64; PREFETCH is 0 without workers.",
            required = true)
    private String baseline = "";

    @Option(
            names = "--baseline-below",
            paramLabel = "SHARE",
            description =
                    "Makes the baseline up: a config outside of the space (2,3,64), slower than the best by this share.")
    private @Nullable Double baselineBelow;

    @Option(
            names = "--noise",
            defaultValue = AS_RECORDED,
            paramLabel = "PROFILE",
            description = {
                "recorded: each config's own where the surface has it, else as shared. For all configs alike:",
                "shared, quiet, none, or ROUND,DRIFT as deviations of the rate's logarithm: 0.075,0.10."
            })
    private String noise = AS_RECORDED;

    @Option(names = "--budget", defaultValue = "300", description = "Seconds of a study, at least 10.")
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
                "Run no search: read SEED to begin a study, then WORKERS,PREFETCH,BATCH[,pinned] line by line, and answer each with",
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
        Choice choice = choice();
        LongFunction<ReplayedMachine> machines = machines(choice.surface());
        PrintWriter out = commandSpec().commandLine().getOut();
        if (interactive) {
            commandSpec().commandLine().getErr().println(choice.name());
            new InteractiveReplay(choice.surface(), machines, out)
                    .run(new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)));
            return 0;
        }
        if (repeats < 1) {
            throw refused("--repeats must be at least 1, but is " + repeats);
        }
        requireKnown(choice);
        SearchSettings settings = settings(choice, 0);
        SamplerKind kind = samplerKind();
        if (choice.surface() instanceof ModelledSurface modelled) {
            modelled.prepare(choice.space().configs());
        }
        List<ReplayedStudy> studies = LongStream.range(0, repeats)
                .parallel()
                .mapToObj(seed -> ReplayedStudy.run(
                        new GuardedSearch(settings(choice, seed), kind.create()), machines.apply(seed)))
                .toList();
        ReplaySummary summary = ReplaySummary.of(choice.name(), studies, settings, choice.surface());
        if (json) {
            out.println(TunerJson.mapper().writeValueAsString(summary));
        } else {
            print(out, summary);
        }
        out.flush();
        return 0;
    }

    private SearchSettings settings(Choice choice, long seed) {
        LoaderConfig today = baselineConfig();
        return new SearchSettings(
                choice.space(),
                today,
                choice.cores(),
                choice.surface().stepSamplesPerSecond(today),
                0,
                config -> Optional.empty(),
                budget(),
                seed,
                List.of(),
                CostOrder.USUAL);
    }

    private Budget budget() {
        try {
            return new Budget(budgetSeconds, budgetTrials);
        } catch (InvalidFieldException outOfRange) {
            String option = outOfRange.field().equals("seconds") ? "--budget" : "--trials";
            throw refused(option + " " + outOfRange.problem());
        }
    }

    private Choice choice() throws IOException {
        try {
            Choice choice = truth.choice();
            return baselineBelow == null
                    ? choice
                    : new Choice(
                            choice.name() + ", with a made-up baseline",
                            new SurfaceWithBaseline(choice.surface(), choice.space(), baselineConfig(), baselineBelow),
                            choice.space(),
                            choice.cores());
        } catch (IllegalArgumentException refused) {
            throw refused(String.valueOf(refused.getMessage()));
        }
    }

    private void requireKnown(Choice choice) {
        LoaderConfig today = baselineConfig();
        Surface surface = choice.surface();
        if (surface.failure(today).filter(RecordedSurface.NOT_RECORDED::equals).isPresent()) {
            throw refused("--baseline: the surface has no line of " + today.describe());
        }
        if (choice.space().configs().stream()
                .allMatch(config -> surface.failure(config).isPresent())) {
            throw refused("no config of the space works: there is nothing to find");
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

    private LongFunction<ReplayedMachine> machines(Surface surface) {
        if (noise.equals(AS_RECORDED)) {
            return seed -> ReplayedMachine.asRecorded(surface, seed);
        }
        NoiseProfile profile = profile();
        return seed -> new ReplayedMachine(surface, profile, seed);
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
            throw refused("--noise must be recorded, shared, quiet, none or two deviations such as 0.075,0.10, but is '"
                    + noise + "'");
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
        out.printf(
                Locale.ROOT,
                "%d replayed studies, simulated noise over %s; %d configs%n",
                summary.studies(),
                summary.truth(),
                summary.configs());
        out.printf(Locale.ROOT, "%-14s %8s %8s %8s %8s%n", "", "p10", "median", "p90", "p95");
        row(out, "regret %", summary.regretPercent());
        row(out, "seconds", summary.seconds());
        row(out, "trials", summary.trials());
        out.printf(Locale.ROOT, "measuring every config once takes %.0f s%n", summary.exhaustiveSeconds());
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
