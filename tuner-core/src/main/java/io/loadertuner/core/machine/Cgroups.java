package io.loadertuner.core.machine;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * The control groups that this process is in, of version 1, version 2 or both at once, each with all the ancestors that
 * the mounts show: a limit binds everything below the group that has it, so the tightest one counts. Groups above a
 * container's own are mostly not shown to it, and what they allow cannot be known from inside.
 */
final class Cgroups {

    private final List<CgroupDirectory> directories;

    private Cgroups(List<CgroupDirectory> directories) {
        this.directories = directories;
    }

    static Cgroups ofThisProcess(SystemFiles files) {
        List<CgroupMount> mounts = files.lines("/proc/self/mountinfo").stream()
                .map(CgroupMount::parse)
                .flatMap(Optional::stream)
                .toList();
        return new Cgroups(files.lines("/proc/self/cgroup").stream()
                .map(CgroupMembership::parse)
                .flatMap(Optional::stream)
                .flatMap(membership -> directories(membership, mounts)
                        .distinct()
                        .map(path -> new CgroupDirectory(files, path, membership.isUnified())))
                .toList());
    }

    /** The tightest CPU quota, in cores. */
    OptionalDouble quotaCores() {
        return directories.stream()
                .map(CgroupDirectory::quotaCores)
                .flatMapToDouble(OptionalDouble::stream)
                .min();
    }

    /** The tightest memory limit, in bytes. */
    OptionalLong memoryLimitBytes() {
        return directories.stream()
                .map(CgroupDirectory::memoryLimitBytes)
                .flatMapToLong(OptionalLong::stream)
                .min();
    }

    /** Those of the given CPUs that the groups leave to this process. */
    CpuSet narrowed(CpuSet cpus) {
        CpuSet narrowed = cpus;
        for (CgroupDirectory directory : directories) {
            narrowed = directory.narrowed(narrowed);
        }
        return narrowed;
    }

    /**
     * Where a container shows only another part of the hierarchy than the group is said to be in, as happens when a process
     * was moved or the mount predates the cgroup namespace, the mount points are the best there is.
     */
    private static Stream<String> directories(CgroupMembership membership, List<CgroupMount> mounts) {
        List<CgroupMount> ofHierarchy =
                mounts.stream().filter(mount -> mount.isOf(membership)).toList();
        List<CgroupMount> showing = ofHierarchy.stream()
                .filter(mount -> mount.shows(membership.path()))
                .toList();
        return showing.isEmpty()
                ? ofHierarchy.stream().map(CgroupMount::mountPoint)
                : showing.stream().flatMap(mount -> mount.directoriesOf(membership.path()).stream());
    }
}
