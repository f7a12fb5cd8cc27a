package io.loadertuner.core.machine;

import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The GPUs that are installed and accessible, whether or not a process is told to use them. */
record GpuInventory(SystemFiles files, NvidiaSmi nvidiaSmi) {

    private static final String DRIVER = "/proc/driver/nvidia/gpus";
    private static final Pattern ANSWER = Pattern.compile("(.*\\S)\\s*,\\s*([^,]*?)\\s*,\\s*([^,]*)");
    private static final Pattern MEBIBYTES = Pattern.compile("\\d{1,12}");
    private static final long MIB = 1L << 20;

    /** By the tool; where it does not answer, by the driver's own files, which know no memory sizes. */
    List<Gpu> gpus() {
        return nvidiaSmi.gpus().map(GpuInventory::answered).orElseGet(this::knownToDriver);
    }

    private static List<Gpu> answered(String csv) {
        return csv.lines()
                .map(line -> ANSWER.matcher(line.strip()))
                .filter(fields -> fields.matches())
                .map(fields -> new Gpu(fields.group(1), memoryBytes(fields.group(2)), uuid(fields.group(3))))
                .toList();
    }

    /** Not a number for GPUs that share the host's memory and where the caller may not ask. */
    private static long memoryBytes(String mebibytes) {
        return MEBIBYTES.matcher(mebibytes).matches() ? Long.parseLong(mebibytes) * MIB : 0;
    }

    private List<Gpu> knownToDriver() {
        return files.children(DRIVER).stream()
                .map(gpu -> files.lines(gpu + "/information"))
                .map(GpuInventory::described)
                .flatMap(Optional::stream)
                .toList();
    }

    private static Optional<Gpu> described(List<String> information) {
        return KeyedLine.value("Model", information)
                .map(name -> new Gpu(
                        name, 0, uuid(KeyedLine.value("GPU UUID", information).orElse(""))));
    }

    /** A driver that has not woken the GPU yet writes question marks. */
    private static @Nullable String uuid(String text) {
        return text.startsWith("GPU-") && !text.contains("?") ? text : null;
    }
}
