package io.loadertuner.service.page;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The address of a page with what it was asked for, so that it can be shared.
 *
 * @param parameters by name; none is empty
 */
public record Address(String path, Map<String, String> parameters) {

    /** A page that was asked for nothing in particular. */
    static Address of(String path) {
        return new Address(path, Map.of());
    }

    /** The same page, asked for that, too; a value that is null or empty asks for nothing. */
    public Address with(String name, @Nullable Object value) {
        Map<String, String> changed = new LinkedHashMap<>(parameters);
        if (value == null || value.toString().isEmpty()) {
            changed.remove(name);
        } else {
            changed.put(name, value.toString());
        }
        return new Address(path, changed);
    }

    /** As it stands in a link. */
    public String text() {
        return parameters.isEmpty()
                ? path
                : path
                        + parameters.entrySet().stream()
                                .map(one ->
                                        one.getKey() + "=" + URLEncoder.encode(one.getValue(), StandardCharsets.UTF_8))
                                .collect(Collectors.joining("&", "?", ""));
    }
}
