package io.loadertuner.core.machine;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/**
 * Looks at the machine, as a process started now, here, with this environment, would find it. What cannot be read is left
 * at the value that {@link Machine} names for it: looking never fails.
 */
public final class MachineInspector {

    private static final Pattern KIBIBYTES = Pattern.compile("(\\d{1,15}) kB");

    private final SystemFiles files;
    private final Map<String, String> environment;
    private final SharedMemory sharedMemory;
    private final GpuInventory gpuInventory;

    MachineInspector(Path root, Map<String, String> environment, SharedMemory sharedMemory, NvidiaSmi nvidiaSmi) {
        this.files = new SystemFiles(root);
        this.environment = Map.copyOf(environment);
        this.sharedMemory = sharedMemory;
        this.gpuInventory = new GpuInventory(files, nvidiaSmi);
    }

    /** An inspector of the machine that this runs on, for processes with this one's environment. */
    public static MachineInspector live() {
        return live(System.getenv());
    }

    /**
     * An inspector of the machine that this runs on.
     *
     * @param environment the environment of the process to be started; {@code CUDA_VISIBLE_DEVICES} selects its GPUs
     */
    public static MachineInspector live(Map<String, String> environment) {
        return new MachineInspector(
                Path.of("/"), environment, SharedMemory.at(Path.of("/dev/shm")), NvidiaSmiCommand.installed());
    }

    /** Looks afresh. Takes up to 5 seconds where a GPU driver does not answer. */
    public Machine inspect() {
        Cgroups cgroups = Cgroups.ofThisProcess(files);
        List<String> cpuinfo = files.lines("/proc/cpuinfo");
        OptionalDouble quotaCores = cgroups.quotaCores();
        return new Machine(
                files.text("/proc/sys/kernel/hostname")
                        .filter(name -> !name.isEmpty())
                        .orElse("unknown"),
                CpuModel.of(cpuinfo),
                affinityCores(cgroups, cpuinfo),
                quotaCores.isPresent() ? quotaCores.getAsDouble() : null,
                memoryBytes(cgroups.memoryLimitBytes()),
                sharedMemory.sizeBytes(),
                sharedMemory.freeBytes(),
                VisibleDevices.in(environment).among(gpuInventory.gpus()));
    }

    /**
     * The mask may name CPUs that could be plugged in but are not, and a sandbox may show a mask without its cpuset; the
     * scheduler uses what is in all of them.
     */
    private int affinityCores(Cgroups cgroups, List<String> cpuinfo) {
        Optional<CpuSet> online = files.text("/sys/devices/system/cpu/online").flatMap(CpuSet::parse);
        Optional<CpuSet> allowed = KeyedLine.value("Cpus_allowed_list", files.lines("/proc/self/status"))
                .flatMap(CpuSet::parse);
        return allowed.map(cpus -> online.map(cpus::narrowedBy).orElse(cpus))
                .or(() -> online)
                .map(cgroups::narrowed)
                .map(CpuSet::size)
                .orElseGet(() -> Math.max(1, processors(cpuinfo)));
    }

    private static int processors(List<String> cpuinfo) {
        return (int) cpuinfo.stream()
                .map(KeyedLine::parse)
                .flatMap(Optional::stream)
                .filter(line -> line.key().equals("processor"))
                .count();
    }

    private long memoryBytes(OptionalLong limit) {
        OptionalLong physical = physicalMemoryBytes();
        if (limit.isEmpty() || physical.isEmpty()) {
            return limit.orElse(physical.orElse(0));
        }
        return Math.min(limit.getAsLong(), physical.getAsLong());
    }

    private OptionalLong physicalMemoryBytes() {
        return KeyedLine.value("MemTotal", files.lines("/proc/meminfo")).stream()
                .map(KIBIBYTES::matcher)
                .filter(amount -> amount.matches())
                .mapToLong(amount -> Long.parseLong(amount.group(1)) * 1024)
                .findFirst();
    }
}
