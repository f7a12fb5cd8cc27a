package io.loadertuner.service.settings;

import static org.assertj.core.api.Assertions.assertThat;

import io.loadertuner.service.ServiceProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How the packaged service starts, and how it says why it does not. */
class StartIT {
    @TempDir
    Path folder;

    @Test
    void itSaysWhereItListensAndWhatItWorksWith() throws IOException {
        Path home = folder.resolve("home of ours");
        try (ServiceProcess service = ServiceProcess.start(home, "--loader-tuner.machine-type=lab")) {
            assertThat(service.log())
                    .contains("Home is " + home)
                    .contains("The machine type is lab")
                    .contains("listens on http://127.0.0.1:")
                    .doesNotContain("WARN", "ERROR");
            assertThat(service.calls().get("/api/v1/studies").status()).isEqualTo(200);
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(home)))
                    .isEqualTo("rwx------");
            assertThat(home.resolve("tuner.mv.db")).exists();

            ServiceProcess second = ServiceProcess.launch(home, Map.of());

            assertThat(second.exitCode()).isEqualTo(1);
            assertThat(second.log())
                    .contains("only one service runs on one home")
                    .contains("set loader-tuner.home to another folder")
                    .doesNotContain("\tat ");
            assertThat(service.stop()).isEqualTo(143);
            assertThat(service.log()).doesNotContain("Exception");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--server.address=0.0.0.0 | nobody would need a token",
                "--loader-tuner.limits.batch=0s | loader-tuner.limits.batch must be above 0",
            })
    void whatCannotBeUsedIsNamedWithoutAStackTrace(String argument, String message) {
        ServiceProcess service = ServiceProcess.launch(folder.resolve("home"), Map.of(), argument);

        assertThat(service.exitCode()).isEqualTo(1);
        assertThat(service.log()).contains(message).doesNotContain("\tat ");
    }
}
