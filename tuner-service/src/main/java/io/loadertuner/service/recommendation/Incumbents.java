package io.loadertuner.service.recommendation;

import io.loadertuner.core.dataset.DatasetDescriptor;
import java.time.Instant;
import java.util.Optional;
import org.springframework.stereotype.Component;

/** What is recommended at the moment, and whether it has been found to hold. */
@Component
public class Incumbents {
    private final RecommendationStore recommendations;

    Incumbents(RecommendationStore recommendations) {
        this.recommendations = recommendations;
    }

    /** The newest for that dataset, in whatever version, with its loader and ranks. */
    public Optional<Incumbent> of(DatasetDescriptor descriptor, String machineType) {
        return recommendations.incumbent(descriptor, machineType);
    }

    /** It loads as it did when it was measured. */
    public void confirmed(Incumbent incumbent, Instant now) {
        recommendations.confirmed(incumbent.id(), now);
    }

    /** It does not load any more as it did when it was measured. */
    public void drifted(Incumbent incumbent, Instant now) {
        recommendations.drifted(incumbent.id(), now);
    }
}
