package io.loadertuner.service.security;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A token as it is known once it was shown.
 *
 * @param name what it was made for
 * @param revokedAt null while it is good
 */
record AccessToken(
        String id,
        String name,
        Role role,
        Instant madeAt,
        @Nullable Instant revokedAt) {}
