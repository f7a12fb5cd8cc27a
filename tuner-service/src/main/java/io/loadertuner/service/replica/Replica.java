package io.loadertuner.service.replica;

import java.util.UUID;
import org.springframework.stereotype.Component;

/** This service among those on its database. Another one after every start: what an earlier process holds is not its own. */
@Component
public final class Replica {
    private final String id = UUID.randomUUID().toString();

    public String id() {
        return id;
    }

    /**
     * The SQL condition that no other service runs what is in a row: who does, if anybody, lives no more.
     *
     * @param table that has a column {@code runner}; the parameter {@code self} is this service's id
     */
    public static String isFree(String table) {
        return """
                (%1$s.runner is null or %1$s.runner = :self or not exists (
                    select 1 from replica where replica.id = %1$s.runner and lease_until > current_timestamp))
                """.formatted(table);
    }
}
