package io.loadertuner.service.recommendation;

import io.loadertuner.core.machine.Machine;
import io.loadertuner.core.space.LoaderConfig;
import io.loadertuner.service.recommendation.RecommendationAnswer.Status;
import io.loadertuner.service.recommendation.RecommendationAnswer.Tuning;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

/**
 * Chooses, where a dataset was not measured as asked, what was measured under the most similar circumstances.
 *
 * <p>What tells circumstances apart is how many cores a rank has, as the natural logarithm of the ratio; another GPU counts
 * like a ratio of two, another version like one of a quarter more.
 *
 * @param machines the machine of a type, where it is known
 */
record Nearest(Query query, Machine asked, Function<String, Optional<Machine>> machines) {
    private static final double ANOTHER_GPU = Math.log(2);
    private static final double ANOTHER_VERSION = Math.log(1.25);

    /** The nearest of these, the newest first; of machine types that are not known, none. */
    Optional<Near> of(List<StoredRecommendation> newestFirst) {
        return newestFirst.stream()
                .flatMap(known -> machines.apply(known.machineType()).map(machine -> new Near(known, machine)).stream())
                .min(Comparator.comparingDouble(Near::distance));
    }

    private double coresOfARank() {
        return asked.usableCores() / query.trainer().ranks();
    }

    /** One that was measured, on this machine. */
    final class Near {
        private final StoredRecommendation known;
        private final Machine machine;

        private Near(StoredRecommendation known, Machine machine) {
            this.known = known;
            this.machine = machine;
        }

        StoredRecommendation known() {
            return known;
        }

        double distance() {
            return Math.abs(Math.log(coresOfARank() / itsCoresOfARank()))
                    + (machine.hasGpuLike(asked) ? 0 : ANOTHER_GPU)
                    + (known.version().equals(query.version()) ? 0 : ANOTHER_VERSION);
        }

        private double itsCoresOfARank() {
            return machine.usableCores() / known.ranks();
        }

        RecommendationAnswer answer(boolean stale, String note, Tuning tuning) {
            LoaderConfig fitted = fitted();
            return RecommendationAnswer.from(known, Status.SIMILAR, stale, reason(fitted) + note, fitted, tuning);
        }

        /**
         * As many workers for each core, at least one where there were any, and more than measured only where each has a GiB of
         * memory; pinned memory where there is a GPU to copy to.
         */
        private LoaderConfig fitted() {
            LoaderConfig config = known.recommended().config();
            long workers = Math.round(config.numWorkers() * coresOfARank() / itsCoresOfARank());
            if (asked.memoryBytes() > 0) {
                long fitting = asked.memoryBytes()
                        / SafeDefault.BYTES_FOR_A_WORKER
                        / query.trainer().ranks();
                workers = Math.min(workers, Math.max(config.numWorkers(), fitting));
            }
            boolean pinned = !asked.gpus().isEmpty()
                    && (config.pinMemory() || machine.gpus().isEmpty());
            return LoaderConfig.of(
                    (int) Math.min(LoaderConfig.MAX_WORKERS, Math.max(workers, Math.min(1, config.numWorkers()))),
                    Objects.requireNonNullElse(config.prefetchFactor(), LoaderConfig.DEFAULT_PREFETCH),
                    pinned,
                    config.batchSize(),
                    config.persistentWorkers(),
                    config.multiprocessingContext());
        }

        private String reason(LoaderConfig fitted) {
            LoaderConfig config = known.recommended().config();
            String measured = "Not measured as asked, but on machine type %s%s with %s: %s."
                            .formatted(
                                    known.machineType(),
                                    known.version().isEmpty() ? "" : " for version " + known.version(),
                                    known.ranks() == 1 ? "one rank" : known.ranks() + " ranks",
                                    known.recommended().reason())
                    + query.differences(known);
            return fitted.numWorkers() == config.numWorkers()
                    ? measured
                    : "%s Its %d workers are scaled to %d: a rank has %s usable cores here and had %s there."
                            .formatted(
                                    measured,
                                    config.numWorkers(),
                                    fitted.numWorkers(),
                                    cores(coresOfARank()),
                                    cores(itsCoresOfARank()));
        }
    }

    private static String cores(double cores) {
        return String.format(Locale.ROOT, cores == Math.rint(cores) ? "%.0f" : "%.1f", cores);
    }
}
