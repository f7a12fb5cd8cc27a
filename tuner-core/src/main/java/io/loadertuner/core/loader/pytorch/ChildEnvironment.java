package io.loadertuner.core.loader.pytorch;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** The environment of child processes: a few variables that loading needs, and what the operator lists. No secrets. Strings
 * are hashed alike in all of them. */
final class ChildEnvironment {
    private static final Set<String> PASSED = Set.of("PATH", "HOME", "TMPDIR", "LANG", "OMP_NUM_THREADS");
    private static final String HASH_SEED = "PYTHONHASHSEED";

    private ChildEnvironment() {}

    /**
     * @param own the environment of this process
     * @param listed names that the operator lets through besides
     */
    static Map<String, String> of(Map<String, String> own, Set<String> listed) {
        Map<String, String> passed = new LinkedHashMap<>();
        own.forEach((name, value) -> {
            if (PASSED.contains(name)
                    || name.startsWith("CUDA_")
                    || name.startsWith("NVIDIA_")
                    || listed.contains(name)) {
                passed.put(name, value);
            }
        });
        // The order of a set of strings hangs on it: a vocabulary made from one is the same in all processes then.
        passed.putIfAbsent(HASH_SEED, "0");
        return passed;
    }
}
