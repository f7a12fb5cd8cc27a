package io.loadertuner.service.page;

import org.jspecify.annotations.Nullable;

/**
 * What every page has around it.
 *
 * @param visitor the name of the token that they logged in with; null where none is needed
 * @param mayLaunch whether they may have studies posted, cancelled and tried again
 * @param mayOperate whether they may have datasets tuned again by the clock
 * @param csrfToken what a call that changes something has to show; null where none is needed
 */
public record Shell(
        @Nullable String visitor,
        boolean mayLaunch,
        boolean mayOperate,
        @Nullable String csrfToken) {}
