package io.loadertuner.core.machine;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Reads the processor's name from {@code /proc/cpuinfo}. On x86 it stands there. On arm64 there are only numbers for the
 * designer and the design, which the tables here turn into names; what is not in them keeps its numbers.
 */
final class CpuModel {

    static final String UNKNOWN = "unknown";

    private static final Map<String, String> IMPLEMENTERS = Map.of(
            "0x41", "Arm",
            "0x46", "Fujitsu",
            "0x48", "HiSilicon",
            "0x4e", "NVIDIA",
            "0x51", "Qualcomm",
            "0x61", "Apple",
            "0xc0", "Ampere");

    private static final Map<String, String> PARTS = Map.ofEntries(
            Map.entry("0x41 0xd03", "Cortex-A53"),
            Map.entry("0x41 0xd05", "Cortex-A55"),
            Map.entry("0x41 0xd07", "Cortex-A57"),
            Map.entry("0x41 0xd08", "Cortex-A72"),
            Map.entry("0x41 0xd0b", "Cortex-A76"),
            Map.entry("0x41 0xd0c", "Neoverse-N1"),
            Map.entry("0x41 0xd40", "Neoverse-V1"),
            Map.entry("0x41 0xd42", "Cortex-A78AE"),
            Map.entry("0x41 0xd49", "Neoverse-N2"),
            Map.entry("0x41 0xd4f", "Neoverse-V2"),
            Map.entry("0x41 0xd84", "Neoverse-V3"),
            Map.entry("0x41 0xd85", "Cortex-X925"),
            Map.entry("0x41 0xd87", "Cortex-A725"),
            Map.entry("0x41 0xd8e", "Neoverse-N3"),
            Map.entry("0x46 0x001", "A64FX"),
            Map.entry("0x48 0xd01", "Kunpeng-920"),
            Map.entry("0x4e 0x004", "Carmel"),
            Map.entry("0xc0 0xac3", "Ampere-1"),
            Map.entry("0xc0 0xac4", "Ampere-1a"));

    private CpuModel() {}

    /** The name, {@link #UNKNOWN} where the lines hold none. Processors with several kinds of core name each kind. */
    static String of(List<String> cpuinfo) {
        List<KeyedLine> entries =
                cpuinfo.stream().map(KeyedLine::parse).flatMap(Optional::stream).toList();
        Set<String> arm = armModels(entries);
        return arm.isEmpty() ? namedModel(entries) : String.join(" + ", arm);
    }

    private static Set<String> armModels(List<KeyedLine> entries) {
        Set<String> models = new LinkedHashSet<>();
        String implementer = "";
        for (KeyedLine entry : entries) {
            if (entry.key().equals("CPU implementer")) {
                implementer = entry.value();
            } else if (entry.key().equals("CPU part")) {
                models.add(armModel(implementer, entry.value()));
            }
        }
        return models;
    }

    private static String armModel(String implementer, String part) {
        return IMPLEMENTERS.getOrDefault(implementer, "ARM implementer " + implementer)
                + " "
                + PARTS.getOrDefault(implementer + " " + part, "part " + part);
    }

    private static String namedModel(List<KeyedLine> entries) {
        return entries.stream()
                .filter(entry -> entry.key().equals("model name") || entry.key().equals("cpu"))
                .map(entry -> entry.value().replaceAll("\\s+", " "))
                .filter(name -> !name.isEmpty())
                .findFirst()
                .orElse(UNKNOWN);
    }
}
