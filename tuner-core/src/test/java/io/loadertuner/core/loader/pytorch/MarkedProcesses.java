package io.loadertuner.core.loader.pytorch;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Every process that was started, at any depth and in any session, with an environment that carries this mark. */
public final class MarkedProcesses {
    public static final String VARIABLE = "LOADER_TUNER_TEST_MARK";
    private final String mark = UUID.randomUUID().toString();

    public Map<String, String> environment() {
        Map<String, String> environment = new HashMap<>(System.getenv());
        environment.put(VARIABLE, mark);
        return environment;
    }

    /** Those that are alive; one that only waits to be reaped is not. */
    public List<ProcessHandle> alive() {
        return ProcessHandle.allProcesses()
                .filter(process -> process.pid() != ProcessHandle.current().pid())
                .filter(this::carriesTheMark)
                .toList();
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
