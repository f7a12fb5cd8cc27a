package io.loadertuner.core.dataset;

import io.loadertuner.core.space.InvalidFieldException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What to load and how to build it.
 *
 * @param name the dataset's name, up to 200 letters, digits and {@code . _ - / : @ +}
 * @param version any text of the same form, empty where none is given
 * @param loader the thing tuned; {@code pytorch}
 * @param source where samples come from
 * @param step what training does with a batch; null tunes the loader alone
 * @param ranks training processes on this machine, 1 to {@value #MAX_RANKS}
 */
public record DatasetDescriptor(
        String name,
        String version,
        String loader,
        Source source,
        @Nullable TrainingStep step,
        int ranks) {

    public static final String PYTORCH = "pytorch";
    public static final int MAX_RANKS = 64;
    private static final Pattern NAME = Pattern.compile("[\\p{L}\\p{N}._/:@+-]{1,200}");

    public DatasetDescriptor {
        requireName("name", name);
        if (!version.isEmpty()) {
            requireName("version", version);
        }
        if (!loader.equals(PYTORCH)) {
            throw new InvalidFieldException("loader", "must be pytorch, but is '" + loader + "'");
        }
        InvalidFieldException.requireRange("ranks", ranks, 1, MAX_RANKS);
    }

    public static void requireName(String field, @Nullable String value) {
        if (value == null || value.isEmpty()) {
            throw new InvalidFieldException(field, "is missing");
        }
        if (!NAME.matcher(value).matches()) {
            throw new InvalidFieldException(
                    field, "may hold up to 200 letters, digits and . _ - / : @ + and nothing else");
        }
    }
}
