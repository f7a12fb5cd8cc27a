package io.loadertuner.service.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The Python code that the tests tune: the same that the core's tests use. */
final class TestPython {
    static final Path USER_CODE = Path.of("..", "tuner-core", "src", "test", "python", "user_code")
            .toAbsolutePath()
            .normalize();

    private TestPython() {}

    /** Runs a script of {@link #USER_CODE} with the tests' interpreter. */
    static void run(String script, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                System.getProperty("loader-tuner.test.python"),
                USER_CODE.resolve(script).toString()));
        command.addAll(List.of(arguments));
        assertThat(new ProcessBuilder(command).inheritIO().start().waitFor()).isZero();
    }
}
