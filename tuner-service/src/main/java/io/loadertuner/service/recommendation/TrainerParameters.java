package io.loadertuner.service.recommendation;

import io.loadertuner.service.web.InvalidParameterException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads what a call's parameters say of the machine that the caller trains on. */
final class TrainerParameters {
    private static final String NO_GPU = "none";
    private static final Pattern MODEL = Pattern.compile("(?!\\s)\\P{C}{1,200}");
    private static final Pattern RELEASE = Pattern.compile("[!-~]{1,64}");
    private static final int MOST_RANKS = 1024;
    private static final int MOST_CORES = 65_536;
    private static final long MOST_BYTES = 1L << 50;

    private TrainerParameters() {}

    static int ranks(String text) {
        return (int) whole("ranks", text, MOST_RANKS);
    }

    static Trainer trainer(
            int ranks,
            @Nullable String cpus,
            @Nullable String memoryBytes,
            @Nullable String gpu,
            @Nullable String torch) {
        if (gpu != null && !MODEL.matcher(gpu).matches()) {
            throw new InvalidParameterException("gpu", "must be a model's name of 1 to 200 characters, or " + NO_GPU);
        }
        if (torch != null && !RELEASE.matcher(torch).matches()) {
            throw new InvalidParameterException("torch", "must be a version of 1 to 64 visible ASCII characters");
        }
        return new Trainer(
                ranks,
                cpus == null ? null : cores(cpus),
                memoryBytes == null ? null : whole("memory_bytes", memoryBytes, MOST_BYTES),
                NO_GPU.equals(gpu) ? "" : gpu,
                torch);
    }

    private static long whole(String parameter, String text, long most) {
        long value = text.matches("\\d{1,18}") ? Long.parseLong(text) : 0;
        if (value < 1 || value > most) {
            throw new InvalidParameterException(
                    parameter, "must be a whole number from 1 to " + most + ", but is '" + text + "'");
        }
        return value;
    }

    private static double cores(String text) {
        double value = text.matches("\\d{1,9}(\\.\\d{1,9})?") ? Double.parseDouble(text) : 0;
        if (value <= 0 || value > MOST_CORES) {
            throw new InvalidParameterException(
                    "cpus", "must be a number above 0 and at most " + MOST_CORES + ", but is '" + text + "'");
        }
        return value;
    }
}
