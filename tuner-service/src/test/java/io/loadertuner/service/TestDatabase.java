package io.loadertuner.service;

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
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.postgresql.PostgreSQLContainer;

/**
 * What the services of tests store in: the embedded database in their home, or with the system property
 * {@code loader-tuner.test.database=postgresql} a database for each home on one PostgreSQL. That runs in a container where there
 * is Docker, else it is unpacked from a jar and run as a process; both end with this JVM.
 */
public final class TestDatabase {
    private static final Path NOTE = Path.of("target", "test-environment", "postgresql.txt");
    private static final String IMAGE = "postgres:18-alpine";
    private static final Map<Path, String> DATABASES = new HashMap<>();
    private static @Nullable Server server;

    private TestDatabase() {}

    private record Server(String url, String user, String password) {
        Connection connection() throws SQLException {
            return DriverManager.getConnection(url, user, password);
        }
    }

    /** The service's properties, {@code name=value}, for this home; the same for the same home. */
    static List<String> properties(Path home) {
        return System.getProperty("loader-tuner.test.database", "embedded").equals("postgresql")
                ? List.of(postgresql(home))
                : List.of();
    }

    /** The properties of a database on PostgreSQL, empty at first. */
    public static synchronized String[] postgresql(Path home) {
        Server running = server;
        if (running == null) {
            running = DockerClientFactory.instance().isDockerAvailable() ? container() : embedded();
            server = running;
        }
        String name = DATABASES.get(home.toAbsolutePath());
        if (name == null) {
            name = created(running, "test_" + DATABASES.size());
            DATABASES.put(home.toAbsolutePath(), name);
        }
        List<String> properties = new ArrayList<>();
        properties.add("spring.datasource.url=" + running.url().replaceFirst("/\\w+(?=\\?|$)", "/" + name));
        properties.add("spring.datasource.username=" + running.user());
        properties.add("spring.datasource.password=" + running.password());
        return properties.toArray(String[]::new);
    }

    private static String created(Server on, String name) {
        try (Connection connection = on.connection();
                Statement statement = connection.createStatement()) {
            statement.execute("create database " + name);
            return name;
        } catch (SQLException refused) {
            throw new IllegalStateException(refused);
        }
    }

    private static Server container() {
        PostgreSQLContainer container = new PostgreSQLContainer(IMAGE);
        container.start();
        Runtime.getRuntime().addShutdownHook(new Thread(container::close));
        return noted(
                "container " + IMAGE,
                new Server(container.getJdbcUrl(), container.getUsername(), container.getPassword()));
    }

    private static Server embedded() {
        try {
            EmbeddedPostgres embedded = EmbeddedPostgres.start();
            Runtime.getRuntime().addShutdownHook(new Thread(() -> close(embedded)));
            return noted(
                    "embedded, as there is no Docker",
                    new Server(embedded.getJdbcUrl("postgres", "postgres"), "postgres", ""));
        } catch (IOException notStarted) {
            throw new UncheckedIOException(notStarted);
        }
    }

    private static void close(EmbeddedPostgres embedded) {
        try {
            embedded.close();
        } catch (IOException left) {
            throw new UncheckedIOException(left);
        }
    }

    private static Server noted(String how, Server started) {
        try (Connection connection = started.connection();
                Statement statement = connection.createStatement();
                ResultSet version = statement.executeQuery("show server_version")) {
            version.next();
            Files.createDirectories(NOTE.getParent());
            Files.writeString(NOTE, "PostgreSQL " + version.getString(1) + " (" + how + ")\n");
        } catch (SQLException | IOException unusable) {
            throw new IllegalStateException(unusable);
        }
        return started;
    }
}
