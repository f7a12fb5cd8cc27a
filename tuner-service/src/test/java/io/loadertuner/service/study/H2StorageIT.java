package io.loadertuner.service.study;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The embedded database in the service's home. */
class H2StorageIT extends StorageContract {
    @Override
    String[] database(Path home) {
        return new String[0];
    }

    /** What a killed service held there is free at once. */
    @Test
    void itsOneServiceHasNoLease() {
        assertThat(replicas()).isZero();
    }
}
