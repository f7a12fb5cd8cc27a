package io.loadertuner.core.tuning;

import io.loadertuner.core.dataset.DatasetDescriptor;
import io.loadertuner.core.space.LoaderConfig;
import java.util.List;

/** What earlier studies of a dataset recommended: where a new one starts from. */
@FunctionalInterface
public interface EarlierStudies {
    EarlierStudies NONE = (descriptor, machineType) -> List.of();

    /**
     * Configs that were recommended for this dataset, in whatever version, on this machine type first and then on others, the
     * newest first, each once. They need not be in the space of the new study.
     */
    List<LoaderConfig> recommended(DatasetDescriptor descriptor, String machineType);
}
