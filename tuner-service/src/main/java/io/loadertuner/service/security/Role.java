package io.loadertuner.service.security;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** What somebody may do; each may also do what those before it may. */
public enum Role {
    /** Reads everything. */
    VIEWER,
    /** Asks for recommendations, and posts, checks, cancels and retries studies. */
    LAUNCHER,
    /** Makes and revokes tokens. */
    OPERATOR;

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** This role and those that it includes. */
    List<Role> included() {
        return Arrays.stream(values()).filter(role -> role.compareTo(this) <= 0).toList();
    }
}
