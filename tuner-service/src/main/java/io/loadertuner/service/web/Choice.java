package io.loadertuner.service.web;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** A parameter that is one of a few words: the names of an enum in lower case. */
public final class Choice {
    private Choice() {}

    /** @throws InvalidParameterException with the words there are, if the text is none of them */
    public static <E extends Enum<E>> E of(String parameter, Class<E> words, String text) {
        return Arrays.stream(words.getEnumConstants())
                .filter(word -> word(word).equals(text))
                .findFirst()
                .orElseThrow(() -> new InvalidParameterException(
                        parameter,
                        "must be one of "
                                + Arrays.stream(words.getEnumConstants())
                                        .map(Choice::word)
                                        .collect(Collectors.joining(", "))
                                + ", but is '" + text + "'"));
    }

    private static String word(Enum<?> word) {
        return word.name().toLowerCase(Locale.ROOT);
    }
}
