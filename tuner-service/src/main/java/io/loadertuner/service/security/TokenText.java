package io.loadertuner.service.security;

import io.loadertuner.service.store.Sha256;
import java.security.SecureRandom;
import java.util.Base64;

/**
 * What a caller shows. It has 256 random bits, so that its digest needs neither salt nor many rounds to say nothing of it.
 */
record TokenText(String text) {
    /** By which it is told from the tokens of others, and found where it was lost. */
    static final String PREFIX = "lt_";

    private static final int BYTES = 32;
    private static final SecureRandom RANDOM = new SecureRandom();

    static TokenText random() {
        byte[] bytes = new byte[BYTES];
        RANDOM.nextBytes(bytes);
        return new TokenText(PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes));
    }

    String digest() {
        return Sha256.of(text);
    }
}
