package io.loadertuner.core.loader.pytorch;

/** The part of a log that a failure carries: what the interpreter said as it died, else the end of the log. */
final class LogExcerpt {
    static final int MOST_CHARACTERS = 4000;

    private static final String DEATH = "Fatal Python error: ";

    private LogExcerpt() {}

    static String of(String log) {
        int lastPart = Math.max(0, log.length() - MOST_CHARACTERS);
        // The frame at fault stands first in a dump: a deep stack, or what others print after it, would push it out.
        int death = log.lastIndexOf(DEATH);
        int start = death < 0 ? lastPart : Math.min(death, lastPart);
        return log.substring(start, Math.min(log.length(), start + MOST_CHARACTERS));
    }
}
