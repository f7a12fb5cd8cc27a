package io.loadertuner.core.dataset;

import io.loadertuner.core.space.InvalidFieldException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What training does with a batch: emulated for a known time, or the user's own. Exactly one of the two is given.
 *
 * @param milliseconds length of an emulated step, above 0 and at most 60,000
 * @param factory {@code package.module:function}, called with the device, returns {@code step(batch)}
 * @param arguments the factory's keyword arguments besides the device
 */
public record TrainingStep(
        @Nullable Double milliseconds,
        @Nullable String factory,
        @Nullable Map<String, Object> arguments) {

    public TrainingStep {
        if ((milliseconds == null) == (factory == null)) {
            throw new InvalidFieldException("step", "needs either milliseconds or a factory, and not both");
        }
        if (milliseconds != null && !(milliseconds > 0 && milliseconds <= 60_000)) {
            throw new InvalidFieldException(
                    "milliseconds", "must be above 0 and at most 60000, but is " + milliseconds);
        }
        if (factory != null) {
            FactoryName.require("factory", factory);
        } else if (arguments != null && !arguments.isEmpty()) {
            throw new InvalidFieldException("arguments", "belong to a step's factory; leave them out");
        }
        arguments = arguments == null ? Map.of() : Collections.unmodifiableMap(new LinkedHashMap<>(arguments));
    }
}
