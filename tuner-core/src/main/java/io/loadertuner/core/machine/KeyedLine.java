package io.loadertuner.core.machine;

import java.util.List;
import java.util.Optional;

/** A line {@code key : value}, the form of most files under {@code /proc}. */
record KeyedLine(String key, String value) {

    static Optional<KeyedLine> parse(String line) {
        int colon = line.indexOf(':');
        return colon < 0
                ? Optional.empty()
                : Optional.of(new KeyedLine(
                        line.substring(0, colon).strip(),
                        line.substring(colon + 1).strip()));
    }

    /** The first value that stands for a key, empty where there is none or only an empty one. */
    static Optional<String> value(String key, List<String> lines) {
        return lines.stream()
                .map(KeyedLine::parse)
                .flatMap(Optional::stream)
                .filter(line -> line.key().equals(key) && !line.value().isEmpty())
                .map(KeyedLine::value)
                .findFirst();
    }
}
