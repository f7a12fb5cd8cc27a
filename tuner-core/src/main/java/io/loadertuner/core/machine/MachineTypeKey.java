package io.loadertuner.core.machine;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.joining;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** Writes the key of a machine type as {@link MachineType#of} describes it. */
final class MachineTypeKey {

    private static final int LONGEST = 63;
    private static final int SHORTEST_CPU = 16;
    private static final int HASH_DIGITS = 8;
    private static final long GIB = 1L << 30;
    private static final Pattern MARKS = Pattern.compile("\\((r|tm|c)\\)");
    private static final Pattern FILLERS = Pattern.compile("\\b(cpu|processor|\\d+-core)\\b");
    private static final Pattern OTHERS = Pattern.compile("[^a-z0-9.]+");
    private static final Pattern ENDS = Pattern.compile("^[-.]+|[-.]+$");

    private MachineTypeKey() {}

    static String of(Machine machine) {
        String head = cores(machine.usableCores()) + "-" + gibibytes(machine.memoryBytes()) + "-";
        String tail = gpus(machine.gpus());
        int roomForCpu = Math.max(SHORTEST_CPU, LONGEST - head.length() - tail.length());
        String cpu = shortened(slug(machine.cpuModel()), roomForCpu);
        return shortened(head + cpu + tail, LONGEST);
    }

    private static String cores(double usable) {
        long halves = Math.max(1, (long) Math.floor(usable * 2));
        return halves / 2 + (halves % 2 == 0 ? "c" : ".5c");
    }

    private static String gibibytes(long bytes) {
        long whole = bytes / GIB + (bytes % GIB == 0 ? 0 : 1);
        long step = Math.max(1, Long.highestOneBit(whole) / 8);
        return (whole + step - 1) / step * step + "g";
    }

    private static String gpus(List<Gpu> gpus) {
        return gpus.stream().collect(groupingBy(MachineTypeKey::gpu, TreeMap::new, counting())).entrySet().stream()
                .map(model -> "-" + model.getValue() + "x-" + model.getKey())
                .collect(joining());
    }

    private static String gpu(Gpu gpu) {
        return slug(gpu.name()) + (gpu.memoryBytes() == 0 ? "" : "-" + gibibytes(gpu.memoryBytes()));
    }

    private static String slug(String model) {
        String unmarked = MARKS.matcher(model.toLowerCase(Locale.ROOT)).replaceAll(" ");
        String essential = FILLERS.matcher(unmarked).replaceAll(" ");
        String hyphenated = OTHERS.matcher(essential).replaceAll("-");
        String slug = ENDS.matcher(hyphenated).replaceAll("");
        return slug.isEmpty() ? "unknown" : slug;
    }

    private static String shortened(String text, int longest) {
        if (text.length() <= longest) {
            return text;
        }
        String start = text.substring(0, longest - HASH_DIGITS - 1);
        return ENDS.matcher(start).replaceAll("") + "-" + hash(text);
    }

    private static String hash(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest).substring(0, HASH_DIGITS);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
