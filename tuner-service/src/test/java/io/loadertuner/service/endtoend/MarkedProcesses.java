package io.loadertuner.service.endtoend;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;

/** What a service started, at any depth and in any session: processes whose environment carries its mark. */
final class MarkedProcesses {
    static final String VARIABLE = "LOADER_TUNER_TEST_MARK";

    private final String mark = UUID.randomUUID().toString();

    /** For the service, which hands it on where {@code passed-environment} says so. */
    Map<String, String> environment() {
        return Map.of(VARIABLE, mark);
    }

    /** Those that are alive, the services among them. */
    List<Long> alive() {
        return marked().map(ProcessHandle::pid).toList();
    }

    /** Those that are alive, but for the services themselves. */
    List<Long> below() {
        return marked().filter(process -> !isService(process))
                .map(ProcessHandle::pid)
                .toList();
    }

    private Stream<ProcessHandle> marked() {
        return ProcessHandle.allProcesses().filter(this::carriesTheMark);
    }

    private static boolean isService(ProcessHandle process) {
        return process.info()
                .command()
                .filter(command -> command.endsWith("java"))
                .isPresent();
    }

    private boolean carriesTheMark(ProcessHandle process) {
        try {
            byte[] environment = Files.readAllBytes(Path.of("/proc", String.valueOf(process.pid()), "environ"));
            return new String(environment, StandardCharsets.UTF_8).contains(VARIABLE + "=" + mark);
        } catch (IOException goneOrNotOurs) {
            return false;
        }
    }
}
