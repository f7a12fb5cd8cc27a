package io.loadertuner.service.replica;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The database of services in processes of their own, looked at from outside. */
final class OneDatabase {
    private final Map<String, String> properties;

    /** @param properties {@code spring.datasource.…=value} */
    OneDatabase(String... properties) {
        this.properties = Arrays.stream(properties)
                .collect(Collectors.toMap(
                        property -> property.substring(0, property.indexOf('=')),
                        property -> property.substring(property.indexOf('=') + 1)));
    }

    Connection connection() throws SQLException {
        return DriverManager.getConnection(
                properties.get("spring.datasource.url"),
                properties.get("spring.datasource.username"),
                properties.get("spring.datasource.password"));
    }

    void update(String sql) throws SQLException {
        try (Connection connection = connection();
                Statement statement = connection.createStatement()) {
            statement.executeUpdate(sql);
        }
    }

    int count(String sql) throws SQLException {
        return Integer.parseInt(column(sql).get(0));
    }

    List<String> column(String sql) throws SQLException {
        try (Connection connection = connection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            List<String> values = new ArrayList<>();
            while (rows.next()) {
                values.add(rows.getString(1));
            }
            return values;
        }
    }
}
