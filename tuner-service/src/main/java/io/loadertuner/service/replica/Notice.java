package io.loadertuner.service.replica;

import org.jspecify.annotations.Nullable;

/**
 * What another service on the same database has told.
 *
 * @param studyId null where it is about none in particular
 */
public record Notice(Kind kind, @Nullable String studyId) {

    /** What may be told. */
    public enum Kind {
        /** There may be something to run that nobody runs. */
        QUEUED,
        /** Something was stored of a study. */
        CHANGED,
        /** Somebody wants a study cancelled that another service runs. */
        CANCEL,
        /** Something may have been told that was not heard. */
        MISSED
    }

    String text(String sender) {
        return sender + " " + kind + (studyId == null ? "" : " " + studyId);
    }

    /** Null for what this sender told, and for what nobody here understands. */
    static @Nullable Notice heard(String text, String self) {
        String[] words = text.split(" ", 3);
        if (words.length < 2 || words[0].equals(self)) {
            return null;
        }
        for (Kind kind : Kind.values()) {
            if (kind.name().equals(words[1])) {
                return new Notice(kind, words.length > 2 ? words[2] : null);
            }
        }
        return null;
    }
}
