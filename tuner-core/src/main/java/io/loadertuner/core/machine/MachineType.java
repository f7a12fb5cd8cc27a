package io.loadertuner.core.machine;

import java.util.regex.Pattern;

/**
 * The name under which machines share a recommendation.
 *
 * <p>Either an operator gives it, or it is derived from what matters to a data loader: {@code
 * 16c-128g-amd-epyc-9654-1x-nvidia-h200-144g} is a machine with 16 usable cores, 128 GiB of memory, that CPU model and one
 * such GPU. Whatever changes between boots (host name, free shared memory, the order of GPUs) has no part in it.
 *
 * @param key 1 to 64 ASCII letters, digits, dots, underscores and hyphens
 */
public record MachineType(String key) {

    private static final Pattern KEY = Pattern.compile("[A-Za-z0-9._-]{1,64}");

    /** @throws IllegalArgumentException if the key is not as described */
    public MachineType {
        if (!KEY.matcher(key).matches()) {
            throw new IllegalArgumentException(
                    "a machine type is 1 to 64 letters, digits, '.', '_' and '-', was \"" + key + "\"");
        }
    }

    /**
     * The type that an operator chose.
     *
     * @throws IllegalArgumentException if the name is not a valid key
     */
    public static MachineType named(String name) {
        return new MachineType(name);
    }

    /**
     * The type of a machine that nobody named. Equal for equal hardware and limits:
     *
     * <ul>
     *   <li>usable cores are rounded down to a multiple of one half, and are at least 0.5;
     *   <li>memory, of the machine and of each GPU, is rounded up to whole GiB and then to a multiple of an eighth of the
     *       power of two below it (2 GiB from 16 on, 4 from 32, 8 from 64 …). Installed sizes lie on these steps, and what
     *       a kernel, a firmware or a driver keeps for itself (1 to 6 %) lies below them: a host of 64 GiB is {@code 64g},
     *       whether its kernel reports 61.9 or 62.8;
     *   <li>models are written in lower case without marks and filler words;
     *   <li>GPUs are counted by model and memory, in alphabetical order. Where the memory is not known, it is left out.
     * </ul>
     *
     * A key is at most 63 characters long and starts and ends with a letter or a digit, so it can be the value of a
     * Kubernetes label. What would be longer is cut, the CPU model first, and ends in a hash of the whole.
     */
    public static MachineType of(Machine machine) {
        return new MachineType(MachineTypeKey.of(machine));
    }
}
