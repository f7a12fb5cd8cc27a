package io.loadertuner.service.study;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.loadertuner.service.InstantLoader;
import io.loadertuner.service.RunningService;
import io.loadertuner.service.settings.UnusableSettingException;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.postgresql.PostgreSQLContainer;

/** PostgreSQL: in a container where there is Docker, else unpacked from a jar and run as a process. */
class PostgreSqlStorageIT extends StorageContract {
    private static final Path NOTE = Path.of("target", "test-environment", "postgresql.txt");
    private static final String IMAGE = "postgres:18-alpine";

    private @Nullable AutoCloseable server;

    private String[] properties = new String[0];

    @Override
    String[] database() {
        properties = DockerClientFactory.instance().isDockerAvailable() ? container() : embedded();
        return properties;
    }

    @Test
    void anotherServiceOnTheSameDatabaseDoesNotStart(@TempDir Path home) {
        assertThatThrownBy(() -> RunningService.start(home, new InstantLoader(), properties))
                .hasRootCauseInstanceOf(UnusableSettingException.class)
                .hasRootCauseMessage(
                        "Another service uses this database; several services on one database come later.");
    }

    private String[] container() {
        PostgreSQLContainer container = new PostgreSQLContainer(IMAGE);
        container.start();
        server = container;
        return noted("container " + IMAGE, container.getJdbcUrl(), container.getUsername(), container.getPassword());
    }

    private String[] embedded() {
        try {
            EmbeddedPostgres embedded = EmbeddedPostgres.start();
            server = embedded;
            return noted(
                    "embedded, as there is no Docker", embedded.getJdbcUrl("postgres", "postgres"), "postgres", "");
        } catch (IOException notStarted) {
            throw new UncheckedIOException(notStarted);
        }
    }

    @AfterAll
    void stopServer() throws Exception {
        if (server != null) {
            server.close();
        }
    }

    private static String[] noted(String how, String url, String user, String password) {
        try (Connection connection = DriverManager.getConnection(url, user, password);
                Statement statement = connection.createStatement();
                ResultSet version = statement.executeQuery("show server_version")) {
            version.next();
            Files.createDirectories(NOTE.getParent());
            Files.writeString(NOTE, "PostgreSQL " + version.getString(1) + " (" + how + ")\n");
        } catch (SQLException | IOException unusable) {
            throw new IllegalStateException(unusable);
        }
        return new String[] {
            "spring.datasource.url=" + url,
            "spring.datasource.username=" + user,
            "spring.datasource.password=" + password
        };
    }
}
