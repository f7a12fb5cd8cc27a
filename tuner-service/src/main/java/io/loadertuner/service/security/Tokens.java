package io.loadertuner.service.security;

import java.time.InstantSource;
import java.util.List;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Service;

/** Makes and revokes tokens. */
@Service
class Tokens {
    private static final Logger log = LoggerFactory.getLogger(Tokens.class);

    private final TokenStore store;
    private final InstantSource clock;

    Tokens(TokenStore store, InstantSource clock) {
        this.store = store;
        this.clock = clock;
    }

    /**
     * A token that was just made.
     *
     * @param text what a caller shows; it is nowhere else
     */
    record Made(AccessToken token, TokenText text) {}

    Made make(String name, Role role) {
        TokenText text = TokenText.random();
        AccessToken token = new AccessToken(UUID.randomUUID().toString(), name, role, clock.instant(), null);
        store.add(token, text.digest());
        log.info("Token {} ({}, {}) was made", token.id(), name, role.word());
        return new Made(token, text);
    }

    /** Whether there was a good one of that id. */
    boolean revoke(String id) {
        boolean revoked = store.revoke(id, clock.instant());
        if (revoked) {
            log.info("Token {} was revoked", id);
        }
        return revoked;
    }

    List<AccessToken> all() {
        return store.all();
    }
}
