package io.loadertuner.service.recommendation;

import io.loadertuner.service.store.KnowledgeChanged;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Component;
import org.springframework.transaction.event.TransactionalEventListener;

/**
 * How often what answers rest on has changed. What this service itself stores counts as soon as it is committed; what another
 * replica stores within a second, since the database is looked at that often where lookups come in.
 */
@Component
class Known {
    private static final long LOOK_EVERY_NANOS = 1_000_000_000;

    private final KnownStore store;
    private final LongSupplier nanos;
    private final AtomicLong changes = new AtomicLong();
    private final AtomicLong lookedAtNanos;
    private final AtomicReference<KnownStore.State> seen = new AtomicReference<>(KnownStore.State.NOTHING);

    @Autowired
    Known(KnownStore store) {
        this(store, System::nanoTime);
    }

    /** @param nanos a clock that never goes back */
    Known(KnownStore store, LongSupplier nanos) {
        this.store = store;
        this.nanos = nanos;
        this.lookedAtNanos = new AtomicLong(nanos.getAsLong() - LOOK_EVERY_NANOS);
    }

    /**
     * A number that grows with every change. To be read before what an answer rests on is.
     *
     * @throws org.springframework.dao.DataAccessException if the database cannot be looked at
     */
    long changes() {
        long looked = lookedAtNanos.get();
        long now = nanos.getAsLong();
        if (now - looked >= LOOK_EVERY_NANOS && lookedAtNanos.compareAndSet(looked, now)) {
            KnownStore.State state = store.state();
            if (!state.equals(seen.getAndSet(state))) {
                changes.incrementAndGet();
            }
        }
        return changes.get();
    }

    @TransactionalEventListener(
            classes = {KnowledgeChanged.class, RecommendationMade.class},
            fallbackExecution = true)
    void changed() {
        changes.incrementAndGet();
    }
}
