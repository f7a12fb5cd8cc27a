package io.loadertuner.service.recommendation;

import io.loadertuner.core.dataset.DatasetDescriptor;
import io.loadertuner.service.store.JsonText;
import io.loadertuner.service.store.Sha256;

/** Tells descriptors apart that bear the same name. */
final class Fingerprint {
    private Fingerprint() {}

    /** The SHA-256 of all that it says, in hexadecimal. */
    static String of(DatasetDescriptor descriptor) {
        return Sha256.of(JsonText.canonical(descriptor));
    }
}
