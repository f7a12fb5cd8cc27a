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

    private static final int SECONDS_FOR_AN_ANSWER = 10;

    private final JdbcConnectionDetails details;

    Database(JdbcConnectionDetails details) {
        this.details = details;
    }

    /** Whether other services may store in it too. */
    public boolean isShared() {
        return details.getJdbcUrl().startsWith(POSTGRESQL);
    }

    /**
     * A connection outside of the pool, to be closed by the caller. A statement on it whose answer does not come fails after
     * {@value #SECONDS_FOR_AN_ANSWER} seconds, also where the network is gone.
     */
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
        properties.setProperty("socketTimeout", Integer.toString(SECONDS_FOR_AN_ANSWER));
        return DriverManager.getConnection(details.getJdbcUrl(), properties);
    }
}
