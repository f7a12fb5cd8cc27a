package io.loadertuner.service.store;

import java.util.Locale;

/** What SQL's {@code like ... escape '!'} looks for. */
public final class LikePattern {
    private LikePattern() {}

    /** Whatever has this text somewhere in it, in small letters; characters that stand for others stand for themselves. */
    public static String containing(String text) {
        return "%" + text.toLowerCase(Locale.ROOT).replaceAll("[!%_]", "!$0") + "%";
    }
}
