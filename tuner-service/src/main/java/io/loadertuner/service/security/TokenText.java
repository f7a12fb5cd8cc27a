package io.loadertuner.service.security;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;

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

    /** The SHA-256 in hexadecimal. */
    String digest() {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every JDK has SHA-256", impossible);
        }
    }
}
