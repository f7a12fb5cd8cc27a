package io.loadertuner.core.tuning;

import io.loadertuner.core.dataset.DatasetDescriptor;
import io.loadertuner.core.space.LoaderConfig;
import java.util.List;

/** What earlier studies of a dataset found: where a new one starts from, and what it leaves alone. */
@FunctionalInterface
public interface EarlierStudies {
    EarlierStudies NONE = (descriptor, machineType) -> List.of();

    /**
     * Configs that were recommended for this dataset, in whatever version, on this machine type first and then on others, the
     * newest first, each once. They need not be in the space of the new study.
     */
    List<LoaderConfig> recommended(DatasetDescriptor descriptor, String machineType);

    /** Configs that hung when this very dataset was tuned on this machine type, and have not worked since. */
    default List<KnownHang> hung(DatasetDescriptor descriptor, String machineType) {
        return List.of();
    }
}
