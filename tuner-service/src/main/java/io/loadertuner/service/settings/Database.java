package io.loadertuner.service.settings;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.stereotype.Component;

/**
 * The database, kept for this service alone while it runs: two services would run the same study. H2 locks its file; of
 * PostgreSQL an advisory lock is taken, on a connection of its own, which the server gives up when that connection ends.
 */
@Component
public final class Database implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Database.class);
    private static final String POSTGRESQL = "jdbc:postgresql:";
    /** "LoaderTu" in ASCII. */
    private static final long LOCK = 0x4c6f616465725475L;

    private final boolean shared;
    private final @Nullable Connection holder;

    Database(JdbcConnectionDetails details) throws SQLException {
        this.shared = details.getJdbcUrl().startsWith(POSTGRESQL);
        this.holder = shared ? locked(details) : null;
    }

    /** Whether services on other machines may store in it too. */
    public boolean isShared() {
        return shared;
    }

    private static Connection locked(JdbcConnectionDetails details) throws SQLException {
        Connection connection = DriverManager.getConnection(details.getJdbcUrl(), credentials(details));
        boolean locked = false;
        try (PreparedStatement statement = connection.prepareStatement("select pg_try_advisory_lock(?)")) {
            statement.setLong(1, LOCK);
            try (ResultSet answer = statement.executeQuery()) {
                locked = answer.next() && answer.getBoolean(1);
            }
        } finally {
            if (!locked) {
                connection.close();
            }
        }
        if (!locked) {
            throw new UnusableSettingException(
                    "Another service uses this database; several services on one database come later.",
                    "Stop the other one, or set spring.datasource.url to another database for this one.",
                    null);
        }
        return connection;
    }

    private static Properties credentials(JdbcConnectionDetails details) {
        Properties properties = new Properties();
        String user = details.getUsername();
        if (user != null) {
            properties.setProperty("user", user);
        }
        String password = details.getPassword();
        if (password != null) {
            properties.setProperty("password", password);
        }
        properties.setProperty("tcpKeepAlive", "true");
        return properties;
    }

    @Override
    public void close() {
        if (holder != null) {
            try {
                holder.close();
            } catch (SQLException gone) {
                log.debug("The lock on the database ended with its connection", gone);
            }
        }
    }
}
