package io.loadertuner.service.settings;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Properties;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.stereotype.Component;

/**
 * The database that the service stores in. The embedded one is locked by the service that uses it; on one PostgreSQL there may
 * be several services.
 */
@Component
public final class Database {
    private static final String POSTGRESQL = "jdbc:postgresql:";

    private final JdbcConnectionDetails details;

    Database(JdbcConnectionDetails details) {
        this.details = details;
    }

    /** Whether other services may store in it too. */
    public boolean isShared() {
        return details.getJdbcUrl().startsWith(POSTGRESQL);
    }

    /** A connection outside of the pool, to be closed by the caller. */
    public Connection connection() throws SQLException {
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
        return DriverManager.getConnection(details.getJdbcUrl(), properties);
    }
}
