package io.loadertuner.service.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.loadertuner.service.ServiceCalls;
import io.loadertuner.service.ServiceCalls.Answer;
import io.loadertuner.service.ServiceProcess;
import io.loadertuner.service.settings.Home;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The first tokens, made as an operator makes them: by a command, before the service runs. */
class TokenCommandIT {
    @TempDir
    Path folder;

    private record Ran(int status, String out, String errors) {}

    @Test
    void aTokenThatWasMadeOpensAServiceThatOthersReach() throws Exception {
        Ran made = token("create", "--name", "first", "--role", "launcher");
        assertThat(made.status()).as(made.errors()).isZero();
        String text = made.out().strip();
        assertThat(text).matches("lt_[A-Za-z0-9_-]{43}");

        try (ServiceProcess service = ServiceProcess.start(folder.resolve("home"), "--server.address=0.0.0.0")) {
            ServiceCalls calls = new ServiceCalls(
                    URI.create("http://127.0.0.1:" + service.address().getPort()));
            assertThat(calls.get("/api/v1/studies").status()).isEqualTo(401);
            assertThat(with(calls, text).status()).isEqualTo(200);
            assertThat(service.log()).doesNotContain(text);

            Ran beside = token("create", "--name", "second", "--role", "viewer");
            assertThat(beside.status()).isEqualTo(1);
            assertThat(beside.out() + beside.errors())
                    .contains("Another process uses the service's database")
                    .doesNotContain("\tat ");
        }
    }

    @Test
    void tokensAreListedWithoutWhatIsShownAndRevoked() throws Exception {
        String text =
                token("create", "--name", "gone", "--role", "OPERATOR").out().strip();

        Ran listed = token("list");
        String id = listed.out().substring(0, 36);

        assertThat(listed.out()).contains("operator  gone  ").endsWith("  -\n").doesNotContain(text);
        assertThat(token("revoke", id).status()).isZero();
        assertThat(token("list").out()).doesNotContain("  -\n");
        Ran again = token("revoke", id);
        assertThat(again.status()).isEqualTo(1);
        assertThat(again.errors()).contains("no good token of the id " + id);
        // Tokens are needed for good: that the last one was revoked lets nobody in.
        try (ServiceProcess service = ServiceProcess.start(folder.resolve("home"))) {
            assertThat(service.calls().get("/api/v1/studies").status()).isEqualTo(401);
        }
    }

    @Test
    void nothingIsMeasuredByTheCommand() throws Exception {
        Path home = folder.resolve("home");
        Files.createFile(folder.resolve("rows.npy"));
        try (ServiceProcess service = ServiceProcess.start(
                home,
                "--loader-tuner.measuring-lock=" + folder.resolve("lock"),
                "--loader-tuner.data-roots=" + folder)) {
            service.calls().post("/api/v1/studies", """
                    {"name": "running", "source": {"kind": "synthetic", "samples": 9000, "sample_milliseconds": 5}}""");
            service.calls().post("/api/v1/studies", """
                    {"name": "waiting", "source": {"kind": "array", "path": "rows.npy"}}""");
            assertThat(service.stop()).isEqualTo(143);
        }

        // Its data lies outside of what the command would take for the roots.
        assertThat(token("list").status()).isZero();

        try (Connection database = DriverManager.getConnection(Home.at(home).databaseUrl(), "sa", "");
                ResultSet states =
                        database.createStatement().executeQuery("select state from study where dataset = 'waiting'")) {
            states.next();
            assertThat(states.getString(1)).isEqualTo("queued");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"create --name a", "create --role viewer", "create --name a --role king", "make", "revoke"})
    void whatIsMalformedIsSaidAndNothingMade(String arguments) throws Exception {
        Ran refused = token(arguments.split(" "));

        assertThat(refused.status()).isEqualTo(2);
        assertThat(refused.errors()).containsAnyOf("Usage: ", "Did you mean: ");
        assertThat(folder.resolve("home")).doesNotExist();
    }

    private static Answer with(ServiceCalls calls, String token) {
        return calls.send(calls.request("/api/v1/studies")
                .header("Authorization", "Bearer " + token)
                .GET());
    }

    private Ran token(String... arguments) throws IOException, InterruptedException {
        List<String> command = ServiceProcess.command();
        command.add("token");
        command.addAll(List.of(arguments));
        command.add("--loader-tuner.home=" + folder.resolve("home"));
        Path out = folder.resolve("out");
        Path errors = folder.resolve("errors");
        int status = new ProcessBuilder(command)
                .redirectOutput(out.toFile())
                .redirectError(errors.toFile())
                .start()
                .waitFor();
        return new Ran(status, Files.readString(out), Files.readString(errors));
    }
}
