package io.loadertuner.core.model;

import java.util.List;

/** What came of a modelled run. */
public sealed interface ModelledRun {

    /**
     * Batches were delivered.
     *
     * @param arrivalsMicros when each batch was delivered and its step done on all ranks, simulated microseconds since
     *     {@code iter()}, ascending
     * @param samplesPerArrival batch size × ranks
     */
    record Delivered(List<Long> arrivalsMicros, int samplesPerArrival) implements ModelledRun {
        public Delivered {
            arrivalsMicros = List.copyOf(arrivalsMicros);
        }
    }

    /**
     * Memory did not suffice.
     *
     * @param failure what ran out
     */
    record Failed(ModelledFailure failure) implements ModelledRun {}
}
