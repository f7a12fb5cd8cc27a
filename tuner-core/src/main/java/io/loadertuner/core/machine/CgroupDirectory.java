package io.loadertuner.core.machine;

import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/** What one control group asks of its members. Answers are empty where it asks nothing or its files are not there. */
record CgroupDirectory(SystemFiles files, String path, boolean isUnified) {

    private static final Pattern BLANK = Pattern.compile(" ");
    private static final Pattern WHOLE_NUMBER = Pattern.compile("\\d{1,18}");
    private static final String HIERARCHICAL_LIMIT = "hierarchical_memory_limit ";

    /** CPU-seconds per second. */
    OptionalDouble quotaCores() {
        String[] quotaAndPeriod = isUnified
                ? BLANK.split(text("cpu.max"))
                : new String[] {text("cpu.cfs_quota_us"), text("cpu.cfs_period_us")};
        if (quotaAndPeriod.length != 2) {
            return OptionalDouble.empty();
        }
        OptionalLong quota = positive(quotaAndPeriod[0]);
        OptionalLong period = positive(quotaAndPeriod[1]);
        return quota.isPresent() && period.isPresent()
                ? OptionalDouble.of((double) quota.getAsLong() / period.getAsLong())
                : OptionalDouble.empty();
    }

    /** The limit that ends a process, in bytes. */
    OptionalLong memoryLimitBytes() {
        return isUnified ? positive(text("memory.max")) : smaller(positive(text("memory.limit_in_bytes")), inherited());
    }

    CpuSet narrowed(CpuSet cpus) {
        Optional<CpuSet> effective = CpuSet.parse(text(isUnified ? "cpuset.cpus.effective" : "cpuset.effective_cpus"));
        return effective.map(cpus::narrowedBy).orElse(cpus);
    }

    /** Version 1 also tells the limit of ancestors, even of those that a container cannot see. */
    private OptionalLong inherited() {
        return files.lines(path + "/memory.stat").stream()
                .filter(line -> line.startsWith(HIERARCHICAL_LIMIT))
                .map(line -> positive(line.substring(HIERARCHICAL_LIMIT.length())))
                .findFirst()
                .orElse(OptionalLong.empty());
    }

    private String text(String file) {
        return files.text(path + "/" + file).orElse("");
    }

    /**
     * A limit as a number; empty for {@code max}, -1 and the 19 digits just below 2^63 (how many below depends on the page
     * size) by which version 1 says that there is none.
     */
    private static OptionalLong positive(String text) {
        if (!WHOLE_NUMBER.matcher(text).matches()) {
            return OptionalLong.empty();
        }
        long value = Long.parseLong(text);
        return value > 0 ? OptionalLong.of(value) : OptionalLong.empty();
    }

    private static OptionalLong smaller(OptionalLong one, OptionalLong other) {
        if (one.isEmpty() || other.isEmpty()) {
            return one.isEmpty() ? other : one;
        }
        return OptionalLong.of(Math.min(one.getAsLong(), other.getAsLong()));
    }
}
