package io.loadertuner.core.machine;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The choice of GPUs in {@code CUDA_VISIBLE_DEVICES}, as CUDA reads it: indices or (beginnings of) UUIDs, in the order in
 * which a process sees them, up to the first entry that names none. Indices count in the order of the PCI bus; CUDA may
 * count otherwise on machines with unlike GPUs unless {@code CUDA_DEVICE_ORDER} is {@code PCI_BUS_ID}.
 *
 * @param value the variable's value, null where it is not set and every GPU is visible
 */
record VisibleDevices(@Nullable String value) {

    private static final Pattern INDEX = Pattern.compile("\\d{1,4}");
    private static final Pattern COMMA = Pattern.compile(",");

    static VisibleDevices in(Map<String, String> environment) {
        return new VisibleDevices(environment.get("CUDA_VISIBLE_DEVICES"));
    }

    /** Those of the installed GPUs that are visible. A MIG slice is listed without its memory, which only it knows. */
    List<Gpu> among(List<Gpu> installed) {
        if (value == null) {
            return installed;
        }
        List<Gpu> visible = new ArrayList<>();
        Set<String> taken = new HashSet<>();
        for (String entry : COMMA.split(value, -1)) {
            Optional<Gpu> gpu = named(entry.strip(), installed);
            if (gpu.isEmpty() || !taken.add(entry.strip())) {
                break;
            }
            visible.add(gpu.get());
        }
        return List.copyOf(visible);
    }

    private static Optional<Gpu> named(String entry, List<Gpu> installed) {
        if (entry.startsWith("MIG-")) {
            return installed.isEmpty() ? Optional.empty() : Optional.of(new Gpu("NVIDIA MIG device", 0, entry));
        }
        if (INDEX.matcher(entry).matches()) {
            int index = Integer.parseInt(entry);
            return index < installed.size() ? Optional.of(installed.get(index)) : Optional.empty();
        }
        return installed.stream()
                .filter(gpu -> entry.startsWith("GPU-")
                        && gpu.uuid() != null
                        && gpu.uuid().startsWith(entry))
                .findFirst();
    }
}
