package io.loadertuner.service.study;

import io.loadertuner.service.TestDatabase;
import java.nio.file.Path;

/** PostgreSQL. */
class PostgreSqlStorageIT extends StorageContract {
    @Override
    String[] database(Path home) {
        return TestDatabase.postgresql(home);
    }
}
