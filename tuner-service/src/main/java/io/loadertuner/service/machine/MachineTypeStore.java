package io.loadertuner.service.machine;

import io.loadertuner.core.machine.Machine;
import io.loadertuner.service.store.JsonText;
import io.loadertuner.service.store.KnowledgeChanged;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.support.TransactionOperations;

/** The table {@code machine_type}. */
@Repository
public class MachineTypeStore {
    private static final String SELECT = "select type_key, machine, last_seen_at from machine_type ";

    private final JdbcClient database;
    private final TransactionOperations transaction;
    private final ApplicationEventPublisher events;

    MachineTypeStore(JdbcClient database, TransactionOperations transaction, ApplicationEventPublisher events) {
        this.database = database;
        this.transaction = transaction;
        this.events = events;
    }

    /** A machine type with one machine of it. */
    public record KnownType(String key, Machine machine, Instant lastSeenAt) {}

    void seen(String key, Machine machine, Instant now) {
        try {
            enter(key, machine, now);
        } catch (DuplicateKeyException otherServiceWasFaster) {
            enter(key, machine, now);
        }
    }

    private void enter(String key, Machine machine, Instant now) {
        OffsetDateTime seen = now.atOffset(ZoneOffset.UTC);
        transaction.executeWithoutResult(status -> {
            int known = database.sql(
                            "update machine_type set machine = :machine, last_seen_at = :seen where type_key = :key")
                    .param("machine", JsonText.of(machine))
                    .param("seen", seen)
                    .param("key", key)
                    .update();
            if (known == 0) {
                database.sql(
                                "insert into machine_type (type_key, machine, last_seen_at) values (:key, :machine, :seen)")
                        .param("key", key)
                        .param("machine", JsonText.of(machine))
                        .param("seen", seen)
                        .update();
            }
            events.publishEvent(new KnowledgeChanged());
        });
    }

    public Optional<KnownType> find(String key) {
        return database.sql(SELECT + "where type_key = :key")
                .param("key", key)
                .query(MachineTypeStore::row)
                .optional();
    }

    public List<KnownType> all() {
        return database.sql(SELECT + "order by type_key")
                .query(MachineTypeStore::row)
                .list();
    }

    private static KnownType row(ResultSet row, int number) throws SQLException {
        return new KnownType(
                row.getString("type_key"),
                JsonText.read(row.getString("machine"), Machine.class),
                row.getObject("last_seen_at", OffsetDateTime.class).toInstant());
    }
}
