package io.loadertuner.service.recommendation;

import io.loadertuner.core.dataset.DatasetDescriptor;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What is asked for.
 *
 * @param version empty where the descriptor has none
 * @param descriptor all of it; null where only its name is told
 */
record Query(
        String dataset,
        String version,
        String loader,
        String machineType,
        Trainer trainer,
        @Nullable DatasetDescriptor descriptor) {

    static Query of(DatasetDescriptor descriptor, String machineType, Trainer trainer) {
        return new Query(
                descriptor.name(), descriptor.version(), descriptor.loader(), machineType, trainer, descriptor);
    }

    /** In a sentence each, what the caller has otherwise than what was measured; empty if nothing. */
    String differences(StoredRecommendation known) {
        StringBuilder said = new StringBuilder();
        DatasetDescriptor wanted = descriptor;
        if (wanted != null) {
            DatasetDescriptor measured = known.descriptor();
            if (!wanted.source().equals(measured.source())) {
                said.append(" It was measured with another source.");
            }
            if (!Objects.equals(wanted.step(), measured.step())) {
                said.append(" It was measured with another training step.");
            }
        }
        if (!runsOn(known)) {
            said.append(
                    " It was measured with torch %s, and the caller has %s.".formatted(known.torch(), trainer.torch()));
        }
        return said.toString();
    }

    /** Whether nothing that is known speaks against the caller's PyTorch being the one that was measured. */
    boolean runsOn(StoredRecommendation known) {
        return known.torch() == null || trainer.torch() == null || known.torch().equals(trainer.torch());
    }
}
