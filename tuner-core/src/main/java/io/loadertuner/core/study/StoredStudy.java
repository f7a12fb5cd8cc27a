package io.loadertuner.core.study;

import io.loadertuner.core.space.LoaderConfig;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * All there is to store of a study that only asks and tells, for {@link Study#restore}.
 *
 * @param told in the order of telling; values are rates: the larger the better
 * @param trials what is known of the trials beside; may leave trials out
 */
public record StoredStudy(List<Observation> told, List<StoredTrial> trials) {

    public StoredStudy {
        told = List.copyOf(told);
        trials = List.copyOf(trials);
    }

    /**
     * A trial that has been told.
     *
     * @param state after its last round; not {@link TrialState#RUNNING}
     * @param reports the last one at each step, in the unit in which they were reported
     */
    public record StoredTrial(
            LoaderConfig config,
            TrialState state,
            Map<String, Object> userAttributes,
            SortedMap<Integer, Double> reports) {

        public StoredTrial {
            if (state == TrialState.RUNNING) {
                throw new IllegalArgumentException("a stored trial has been told: " + config.describe());
            }
            userAttributes = Collections.unmodifiableMap(new LinkedHashMap<>(userAttributes));
            reports = Collections.unmodifiableSortedMap(new TreeMap<>(reports));
        }
    }
}
