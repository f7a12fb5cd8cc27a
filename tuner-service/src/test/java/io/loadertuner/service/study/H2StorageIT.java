package io.loadertuner.service.study;

import java.nio.file.Path;

/** The embedded database in the service's home. */
class H2StorageIT extends StorageContract {
    @Override
    String[] database(Path home) {
        return new String[0];
    }
}
