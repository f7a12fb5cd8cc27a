package io.loadertuner.core.machine;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A cgroup hierarchy in the file system, from a line of {@code /proc/self/mountinfo}.
 *
 * @param isUnified true for version 2
 * @param controllers the version 1 controllers of the hierarchy, among other mount options
 * @param root the group that appears at the mount point: {@code /} for the whole hierarchy, deeper in many containers
 * @param mountPoint where it is mounted, an absolute path
 */
record CgroupMount(boolean isUnified, Set<String> controllers, String root, String mountPoint) {

    static Optional<CgroupMount> parse(String line) {
        int separator = line.indexOf(" - ");
        if (separator < 0) {
            return Optional.empty();
        }
        String[] mount = line.substring(0, separator).split(" ", -1);
        String[] fileSystem = line.substring(separator + 3).split(" ", -1);
        boolean unified = fileSystem[0].equals("cgroup2");
        if (mount.length < 5 || fileSystem.length < 3 || !(unified || fileSystem[0].equals("cgroup"))) {
            return Optional.empty();
        }
        Set<String> options = Set.copyOf(Arrays.asList(fileSystem[2].split(",")));
        return Optional.of(new CgroupMount(unified, options, unescaped(mount[3]), unescaped(mount[4])));
    }

    boolean isOf(CgroupMembership membership) {
        return isUnified == membership.isUnified() && (isUnified || controllers.containsAll(membership.controllers()));
    }

    /** Whether the group lies in the part of the hierarchy that this mount shows. */
    boolean shows(String group) {
        List<String> rootSegments = segments(root);
        List<String> groupSegments = segments(group);
        return groupSegments.size() >= rootSegments.size()
                && groupSegments.subList(0, rootSegments.size()).equals(rootSegments)
                && !groupSegments
                        .subList(rootSegments.size(), groupSegments.size())
                        .contains("..");
    }

    /** The directories of a group that this mount {@link #shows} and of its ancestors, up to the mount point. */
    List<String> directoriesOf(String group) {
        List<String> groupSegments = segments(group);
        List<String> directories = new ArrayList<>();
        for (int depth = groupSegments.size(); depth >= segments(root).size(); depth--) {
            List<String> below = groupSegments.subList(segments(root).size(), depth);
            directories.add(below.isEmpty() ? mountPoint : mountPoint + "/" + String.join("/", below));
        }
        return directories;
    }

    private static List<String> segments(String path) {
        return Arrays.stream(path.split("/"))
                .filter(segment -> !segment.isEmpty())
                .toList();
    }

    private static String unescaped(String field) {
        return field.replace("\\040", " ")
                .replace("\\011", "\t")
                .replace("\\012", "\n")
                .replace("\\134", "\\");
    }
}
