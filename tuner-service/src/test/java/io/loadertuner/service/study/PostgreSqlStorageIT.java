package io.loadertuner.service.study;

import static org.assertj.core.api.Assertions.assertThat;

import io.loadertuner.service.TestDatabase;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** PostgreSQL. */
class PostgreSqlStorageIT extends StorageContract {
    @Override
    String[] database(Path home) {
        return TestDatabase.postgresql(home);
    }

    @Test
    void itsServiceHasALease() {
        assertThat(replicas()).isEqualTo(1);
    }
}
