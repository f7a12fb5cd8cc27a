package io.loadertuner.service.security;

import java.util.Optional;

/** Whoever looks at a page at the moment. */
public interface Visitor {
    /** What their token was made for; empty where none is needed. */
    Optional<String> name();

    /** Whether they may have studies posted, cancelled and tried again. */
    boolean mayLaunch();

    /** Whether they may have datasets tuned again by the clock. */
    boolean mayOperate();
}
