package io.loadertuner.core.loader;

import org.jspecify.annotations.Nullable;

/**
 * What two workers told of themselves and of the samples they drew, outside of any measurement.
 *
 * @param randomNumbersRepeat whether both drew the same random numbers; null where samples do not change, or too seldom
 *     to tell
 * @param usableCpus CPUs that a worker may use; null if unknown
 * @param torchThreads threads that torch uses in a worker; null if unknown
 * @param problem why nothing is known; null if nothing went wrong
 */
public record Examination(
        @Nullable Boolean randomNumbersRepeat,
        @Nullable Integer usableCpus,
        @Nullable Integer torchThreads,
        @Nullable String problem) {}
