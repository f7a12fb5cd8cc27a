package io.loadertuner.core.machine;

import java.util.BitSet;
import java.util.Optional;
import java.util.regex.Pattern;

/** A set of logical CPUs in the kernel's list format, such as {@code 0-3,8,10-11}. */
final class CpuSet {

    private static final Pattern LIST = Pattern.compile("\\d{1,6}(-\\d{1,6})?(,\\d{1,6}(-\\d{1,6})?)*");
    private static final Pattern COMMA = Pattern.compile(",");

    private final BitSet cpus;

    private CpuSet(BitSet cpus) {
        this.cpus = cpus;
    }

    /** The CPUs listed; nothing where the text is empty or no such list. */
    static Optional<CpuSet> parse(String list) {
        if (!LIST.matcher(list).matches()) {
            return Optional.empty();
        }
        BitSet cpus = new BitSet();
        COMMA.splitAsStream(list).forEach(range -> {
            int hyphen = range.indexOf('-');
            int first = Integer.parseInt(hyphen < 0 ? range : range.substring(0, hyphen));
            int last = Integer.parseInt(range.substring(hyphen + 1));
            if (first <= last) {
                cpus.set(first, last + 1);
            }
        });
        return cpus.isEmpty() ? Optional.empty() : Optional.of(new CpuSet(cpus));
    }

    /** What both contain; this set where they have nothing in common, as then the other cannot be about this process. */
    CpuSet narrowedBy(CpuSet other) {
        BitSet common = (BitSet) cpus.clone();
        common.and(other.cpus);
        return common.isEmpty() ? this : new CpuSet(common);
    }

    /** How many CPUs these are, at least 1. */
    int size() {
        return cpus.cardinality();
    }
}
