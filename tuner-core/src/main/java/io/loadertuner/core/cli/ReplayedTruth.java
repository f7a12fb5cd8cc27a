package io.loadertuner.core.cli;

import io.loadertuner.core.model.BottleneckShape;
import io.loadertuner.core.replay.ModelledSurface;
import io.loadertuner.core.replay.RecordedSurface;
import io.loadertuner.core.replay.Surface;
import io.loadertuner.core.space.SearchSpace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The options of {@code replay} that say what is replayed: a recorded surface, or a model; and the space searched in it. */
final class ReplayedTruth {
    private static final List<Integer> PREFETCH_OF_MODELS = List.of(1, 2, 4, 8);
    private static final List<Integer> BATCH_SIZES_OF_MODELS = List.of(32, 64, 128, 256);

    /**
     * @param name says whether it was recorded or is a model
     * @param cores usable, above 0
     */
    record Choice(String name, Surface surface, SearchSpace space, double cores) {}

    @Parameters(
            paramLabel = "SURFACE",
            arity = "0..1",
            description = "CSV file: a recorded surface, or a study's surface.csv")
    private @Nullable Path surfaceFile;

    @Option(names = "--dataset", description = "Which dataset of the surface.")
    private @Nullable String dataset;

    @Option(
            names = "--step-samples-per-second",
            description = "What the training step alone takes in, where the surface was recorded with one.")
    private @Nullable Double stepSamplesPerSecond;

    @Option(names = "--loader-alone", description = "Which dataset of the surface is the loader without the step.")
    private @Nullable String loaderAlone;

    @Option(
            names = "--model",
            paramLabel = "SHAPE",
            description = "Instead of SURFACE, a made-up job on a modelled machine with --cores and --gpus: cpu_bound,"
                    + " storage_latency, storage_limited, transfer_bound, step_bound, overhead_bound.")
    private @Nullable String model;

    @Option(names = "--cores", defaultValue = "2", description = "Usable cores; a model has 8 to 128.")
    private double cores = 2;

    @Option(names = "--gpus", defaultValue = "1", description = "Ranks of a model, 1 to 8.")
    private int gpus = 1;

    @Option(
            names = "--num-workers",
            split = ",",
            description = "Workers of the space; all of the surface where none are given. A model needs them.")
    private List<Integer> numWorkers = List.of();

    @Option(
            names = "--prefetch-factor",
            split = ",",
            description = "Prefetch factors of the space; all of the surface, or 1,2,4,8 of a model.")
    private List<Integer> prefetchFactors = List.of();

    @Option(
            names = "--batch-size",
            split = ",",
            description = "Batch sizes of the space; all of the surface, or 32,64,128,256 of a model.")
    private List<Integer> batchSizes = List.of();

    /**
     * @throws IllegalArgumentException saying what is missing or does not go together
     */
    Choice choice() throws IOException {
        if ((surfaceFile == null) == (model == null)) {
            throw new IllegalArgumentException("either SURFACE or --model is needed");
        }
        return surfaceFile == null ? modelled(Objects.requireNonNull(model)) : recorded(surfaceFile);
    }

    private Choice modelled(String shape) {
        BottleneckShape job = Arrays.stream(BottleneckShape.values())
                .filter(known -> known.code().equals(shape))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("--model must be one of "
                        + Arrays.stream(BottleneckShape.values())
                                .map(BottleneckShape::code)
                                .collect(Collectors.joining(", "))
                        + ", but is '" + shape + "'"));
        if (cores != Math.rint(cores)) {
            throw new IllegalArgumentException("--cores of a model is a whole number, but is " + cores);
        }
        if (numWorkers.isEmpty()) {
            throw new IllegalArgumentException("a model needs --num-workers: 0,1,2,4,8");
        }
        ModelledSurface surface = new ModelledSurface(job.on((int) cores, gpus));
        SearchSpace space = space(new SearchSpace(
                numWorkers, PREFETCH_OF_MODELS, List.of(false, true), BATCH_SIZES_OF_MODELS, true, null));
        String name = String.format("a model, not a machine: %s, %d cores, %d GPUs", shape, (int) cores, gpus);
        return new Choice(name, surface, space, cores);
    }

    private Choice recorded(Path file) throws IOException {
        if (dataset == null) {
            throw new IllegalArgumentException("--dataset is needed with SURFACE");
        }
        List<String> lines = Files.readAllLines(file);
        try {
            RecordedSurface surface = RecordedSurface.read(lines, dataset);
            if (stepSamplesPerSecond != null) {
                surface = surface.withStep(
                        stepSamplesPerSecond, RecordedSurface.read(lines, loaderAlone == null ? dataset : loaderAlone));
            }
            return new Choice("recorded: " + dataset, surface, space(surface.space()), cores);
        } catch (IllegalArgumentException unreadable) {
            throw new IllegalArgumentException(file + ": " + unreadable.getMessage(), unreadable);
        }
    }

    private SearchSpace space(SearchSpace whole) {
        return new SearchSpace(
                numWorkers.isEmpty() ? whole.numWorkers() : numWorkers,
                prefetchFactors.isEmpty() ? whole.prefetchFactor() : prefetchFactors,
                whole.pinMemory(),
                batchSizes.isEmpty() ? whole.batchSize() : batchSizes,
                true,
                null);
    }
}
