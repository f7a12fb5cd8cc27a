package io.loadertuner.service.study;

import io.loadertuner.core.dataset.DatasetDescriptor;
import io.loadertuner.core.space.LoaderConfig;
import io.loadertuner.core.tuning.EarlierStudies;
import io.loadertuner.core.tuning.KnownHang;
import java.util.List;

/** What a study is told of those before it. */
record EarlierTrials(RecommendationLog recommendations, HangStore hangs) implements EarlierStudies {

    @Override
    public List<LoaderConfig> recommended(DatasetDescriptor descriptor, String machineType) {
        return recommendations.recommended(descriptor, machineType);
    }

    @Override
    public List<KnownHang> hung(DatasetDescriptor descriptor, String machineType) {
        return hangs.hung(descriptor, machineType);
    }
}
