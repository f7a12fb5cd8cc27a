package io.loadertuner.core.loader.pytorch;

import io.loadertuner.core.loader.MeasuredRound;
import org.jspecify.annotations.Nullable;

/**
 * One rank's part of a round that several ranks were measured in.
 *
 * @param openedMicros when its window opened, on the clock that all processes of a machine share
 * @param closedMicros when its window closed
 * @param batchesPerPass batches after which its iterable of batches came to an end; null where that is not known
 */
record RankRound(
        MeasuredRound round,
        long openedMicros,
        long closedMicros,
        @Nullable Long batchesPerPass) {}
