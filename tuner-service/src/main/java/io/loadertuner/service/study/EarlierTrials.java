package io.loadertuner.service.study;

import io.loadertuner.core.dataset.DatasetDescriptor;
import io.loadertuner.core.space.LoaderConfig;
import io.loadertuner.core.tuning.EarlierStudies;
import io.loadertuner.core.tuning.KnownHang;
import java.util.List;

/**
 * What a study is told of those before it.
 *
 * @param shield of the measuring thread, which asks
 */
record EarlierTrials(RecommendationLog recommendations, HangStore hangs, InterruptShield shield)
        implements EarlierStudies {

    @Override
    public List<LoaderConfig> recommended(DatasetDescriptor descriptor, String machineType) {
        return shield.call(() -> recommendations.recommended(descriptor, machineType));
    }

    @Override
    public List<KnownHang> hung(DatasetDescriptor descriptor, String machineType) {
        return shield.call(() -> hangs.hung(descriptor, machineType));
    }
}
