package io.loadertuner.service.recommendation;

import io.loadertuner.core.dataset.DatasetDescriptor;
import io.loadertuner.service.store.JsonText;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Tells descriptors apart that bear the same name. */
final class Fingerprint {
    private Fingerprint() {}

    /** The SHA-256 of all that it says, in hexadecimal. */
    static String of(DatasetDescriptor descriptor) {
        return digest(JsonText.canonical(descriptor));
    }

    /** The SHA-256 of a text, in hexadecimal. */
    static String digest(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every JDK has SHA-256", impossible);
        }
    }
}
