package io.loadertuner.core.model;

/** {@code num_workers = 0}: the training process loads each batch itself when it asks for it. */
final class OwnLoading implements BatchSource {
    private final BatchLoading loading;
    private int batch;

    OwnLoading(BatchLoading loading) {
        this.loading = loading;
    }

    @Override
    public void next(Runnable then) {
        loading.load(batch++, then);
    }
}
