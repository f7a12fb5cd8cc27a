package io.loadertuner.core.machine;

import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** Inspects a tree of {@code /proc} and {@code /sys} recorded under {@code src/test/resources/machine}. */
final class RecordedMachine {

    private static final SharedMemory SHARED_MEMORY = new SharedMemory() {
        @Override
        public long sizeBytes() {
            return 67_108_864;
        }

        @Override
        public long freeBytes() {
            return 67_000_000;
        }
    };

    private RecordedMachine() {}

    static Machine inspect(String recording) {
        return inspect(recording, Map.of());
    }

    static Machine inspect(String recording, Map<String, String> environment) {
        SystemFiles files = new SystemFiles(root(recording));
        return new MachineInspector(files.root(), environment, SHARED_MEMORY, () -> answer(files)).inspect();
    }

    private static Optional<String> answer(SystemFiles files) {
        return files.text("/nvidia-smi.csv");
    }

    private static Path root(String recording) {
        try {
            return Path.of(Objects.requireNonNull(RecordedMachine.class.getResource("/machine/" + recording), recording)
                    .toURI());
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException(recording, e);
        }
    }
}
