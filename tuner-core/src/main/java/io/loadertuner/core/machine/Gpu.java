package io.loadertuner.core.machine;

import org.jspecify.annotations.Nullable;

/**
 * One GPU that a process started here would see.
 *
 * @param name the model as the driver names it, such as {@code NVIDIA H200}; never blank
 * @param memoryBytes its memory in bytes, 0 where the driver does not tell
 * @param uuid the driver's identifier, such as {@code GPU-…}; null where the driver does not tell
 * @param driver version of the driver; null where nobody asked it
 */
public record Gpu(
        String name,
        long memoryBytes,
        @Nullable String uuid,
        @Nullable String driver) {

    public Gpu(String name, long memoryBytes, @Nullable String uuid) {
        this(name, memoryBytes, uuid, null);
    }

    /** @throws IllegalArgumentException if the name is blank or the memory negative */
    public Gpu {
        if (name.isBlank()) {
            throw new IllegalArgumentException("a GPU needs a name");
        }
        if (memoryBytes < 0) {
            throw new IllegalArgumentException("memoryBytes must not be negative, was " + memoryBytes);
        }
    }
}
