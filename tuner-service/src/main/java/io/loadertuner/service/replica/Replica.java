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
}
