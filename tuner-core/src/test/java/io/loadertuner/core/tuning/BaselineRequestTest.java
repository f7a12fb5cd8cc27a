package io.loadertuner.core.tuning;

import static org.assertj.core.api.Assertions.assertThat;

import io.loadertuner.core.space.LoaderConfig;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class BaselineRequestTest {

    static List<LoaderConfig> configs() {
        return List.of(
                LoaderConfig.of(0, 2, false, 32, true, null),
                LoaderConfig.of(3, 4, true, 64, true, "spawn"),
                LoaderConfig.of(1, 1, false, 7, false, null));
    }

    @ParameterizedTest
    @MethodSource("configs")
    void itAsksForTheConfigThatItWasMadeOf(LoaderConfig config) {
        assertThat(StudyPlan.baseline(BaselineRequest.of(config), SpaceRequest.ANY))
                .isEqualTo(config);
    }
}
