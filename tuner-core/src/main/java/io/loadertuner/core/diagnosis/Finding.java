package io.loadertuner.core.diagnosis;

import java.util.Locale;

/**
 * A statement about the dataset or the machine.
 *
 * @param code names the kind of finding: {@code copy_on_write}
 * @param evidence what was seen, with its numbers
 * @param remedy what to do about it
 */
public record Finding(String code, Severity severity, String evidence, String remedy) {

    /** How much it matters. */
    public enum Severity {
        /** Something could be better. */
        ADVICE,
        /** Something is wrong, or will be: wrong samples, memory that runs out, cores that are not used. */
        WARNING
    }

    static Finding advice(String code, String evidence, String remedy) {
        return new Finding(code, Severity.ADVICE, evidence, remedy);
    }

    static Finding warning(String code, String evidence, String remedy) {
        return new Finding(code, Severity.WARNING, evidence, remedy);
    }

    static String text(String format, Object... numbers) {
        return String.format(Locale.ROOT, format, numbers);
    }

    static double mebibytes(double bytes) {
        return bytes / (1 << 20);
    }
}
