package io.loadertuner.service.study;

/** The embedded database in the service's home. */
class H2StorageIT extends StorageContract {
    @Override
    String[] database() {
        return new String[0];
    }
}
