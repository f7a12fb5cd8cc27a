package io.loadertuner.core.tuning;

import io.loadertuner.core.loader.LoaderFacts;
import io.loadertuner.core.machine.Gpu;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What decides how fast a dataset loads and can be seen without measuring. */
final class EnvironmentChanges {
    private final List<String> changes = new ArrayList<>();

    private EnvironmentChanges() {}

    static List<String> between(LoaderFacts then, LoaderFacts now) {
        EnvironmentChanges found = new EnvironmentChanges();
        found.compare("PyTorch", then.torch(), now.torch());
        found.compare("Python", then.python(), now.python());
        found.compare("the device", then.device(), now.device());
        found.compare("the GPU", name(then.gpu()), name(now.gpu()));
        found.compare("the GPU's driver", driver(then.gpu()), driver(now.gpu()));
        found.compare("the start method of workers", then.startMethod(), now.startMethod());
        found.compare("the number of samples", then.length(), now.length());
        found.compare("a sample", then.sample(), now.sample());
        return List.copyOf(found.changes);
    }

    private static @Nullable String name(@Nullable Gpu gpu) {
        return gpu == null ? null : gpu.name();
    }

    private static @Nullable String driver(@Nullable Gpu gpu) {
        return gpu == null ? null : gpu.driver();
    }

    private void compare(String what, @Nullable Object then, @Nullable Object now) {
        if (then != null && now != null && !Objects.equals(then, now)) {
            changes.add("%s was %s and is %s".formatted(what, then, now));
        }
    }
}
