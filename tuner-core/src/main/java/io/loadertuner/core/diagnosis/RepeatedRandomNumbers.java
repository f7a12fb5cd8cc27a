package io.loadertuner.core.diagnosis;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Random numbers that come from a generator which every worker got a copy of. */
public final class RepeatedRandomNumbers {
    private RepeatedRandomNumbers() {}

    /**
     * @param repeat whether two workers drew the same; null if that could not be told
     */
    public static Optional<Finding> finding(@Nullable Boolean repeat) {
        return !Boolean.TRUE.equals(repeat)
                ? Optional.empty()
                : Optional.of(
                        Finding.advice(
                                "repeated_random_numbers",
                                "two workers read the same samples again and again: the samples changed from read to read, and in both workers in the same way",
                                "Every worker has a copy of one generator. Make it in the worker (on the first read, or in worker_init_fn, seeded with torch.initial_seed()), or use torch's, Python's or NumPy's global one: PyTorch seeds them for each worker."));
    }
}
