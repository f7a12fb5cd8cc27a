package io.loadertuner.core.loader.pytorch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ChildEnvironmentTest {

    @Test
    void childProcessesGetNoEnvironmentButWhatIsListed() throws Exception {
        Map<String, String> own = Map.of(
                "PATH",
                "/bin",
                "HOME",
                "/home/me",
                "CUDA_VISIBLE_DEVICES",
                "0",
                "AWS_SECRET_ACCESS_KEY",
                "secret",
                "DATA_TOKEN",
                "listed");

        assertThat(ChildEnvironment.of(own, Set.of("DATA_TOKEN")))
                .containsOnlyKeys("PATH", "HOME", "CUDA_VISIBLE_DEVICES", "DATA_TOKEN", "PYTHONHASHSEED");
    }
}
