package io.loadertuner.core.tuning;

import io.loadertuner.core.loader.ProcessLog;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A config measured on its own, outside the search.
 *
 * @param rounds those that were measured before it failed, if it did
 * @param failure null if it did not fail
 * @param log what the loading processes printed
 */
public record Attempt(List<RoundRecord> rounds, @Nullable FailureRecord failure, ProcessLog log) {
    public Attempt {
        rounds = List.copyOf(rounds);
    }
}
