package io.loadertuner.core.machine;

import java.util.Arrays;
import java.util.Optional;
import java.util.Set;

/**
 * A line of {@code /proc/self/cgroup}: the group that this process is in, in one hierarchy.
 *
 * @param controllers the version 1 controllers of the hierarchy, empty for the unified one (version 2)
 * @param path the group, as seen from the root of this process's cgroup namespace; starts with {@code /..} outside it
 */
record CgroupMembership(Set<String> controllers, String path) {

    static Optional<CgroupMembership> parse(String line) {
        String[] fields = line.split(":", 3);
        if (fields.length < 3) {
            return Optional.empty();
        }
        Set<String> controllers = fields[1].isEmpty() ? Set.of() : Set.copyOf(Arrays.asList(fields[1].split(",")));
        return Optional.of(new CgroupMembership(controllers, fields[2]));
    }

    boolean isUnified() {
        return controllers.isEmpty();
    }
}
