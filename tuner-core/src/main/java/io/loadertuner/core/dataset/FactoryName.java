package io.loadertuner.core.dataset;

import io.loadertuner.core.space.InvalidFieldException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The form {@code package.module:function} in which Python factories are named. */
final class FactoryName {
    private static final Pattern FORM =
            Pattern.compile("[A-Za-z_]\\w*(\\.[A-Za-z_]\\w*)*:[A-Za-z_]\\w*(\\.[A-Za-z_]\\w*)*");

    private FactoryName() {}

    static void require(String field, @Nullable String name) {
        if (name == null || !FORM.matcher(name).matches()) {
            throw new InvalidFieldException(
                    field,
                    "must have the form package.module:function, but is "
                            + (name == null ? "missing" : "'" + name + "'"));
        }
    }
}
