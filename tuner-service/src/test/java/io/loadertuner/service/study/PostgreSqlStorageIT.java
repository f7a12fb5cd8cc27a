package io.loadertuner.service.study;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.loadertuner.service.InstantLoader;
import io.loadertuner.service.RunningService;
import io.loadertuner.service.TestDatabase;
import io.loadertuner.service.settings.UnusableSettingException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** PostgreSQL. */
class PostgreSqlStorageIT extends StorageContract {
    @Override
    String[] database(Path home) {
        return TestDatabase.postgresql(home);
    }

    @Test
    void anotherServiceOnTheSameDatabaseDoesNotStart(@TempDir Path other) {
        assertThatThrownBy(() -> RunningService.start(other, new InstantLoader(), properties()))
                .hasRootCauseInstanceOf(UnusableSettingException.class)
                .hasRootCauseMessage(
                        "Another service uses this database; several services on one database come later.");
    }
}
