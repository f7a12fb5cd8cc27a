package io.loadertuner.service.replica;

import io.loadertuner.service.settings.Database;
import io.loadertuner.service.settings.TunerProperties;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/**
 * Renews this service's lease, and has it looked for what others left behind when theirs ended. Lives longer than what measures:
 * the lease holds until everything is handed back. On an embedded database there is one service, which needs no lease: whatever
 * is held there by another id is free.
 */
@Component
class Heartbeat implements SmartLifecycle {
    static final int PHASE = 0;

    private static final Logger log = LoggerFactory.getLogger(Heartbeat.class);
    private static final int BEATS_PER_LEASE = 3;

    private final ReplicaStore store;
    private final Replica self;
    private final ApplicationEventPublisher events;
    private final Duration lease;
    private final boolean renews;
    private @Nullable ScheduledExecutorService beating;

    Heartbeat(
            ReplicaStore store,
            Replica self,
            Database database,
            ApplicationEventPublisher events,
            TunerProperties properties,
            ApplicationContext context) {
        this.store = store;
        this.self = self;
        this.events = events;
        this.lease = properties.lease();
        this.renews = database.isShared() && context instanceof WebServerApplicationContext;
    }

    @Override
    public boolean isAutoStartup() {
        return renews;
    }

    @Override
    public synchronized void start() {
        store.live(self.id(), lease);
        beating = Executors.newSingleThreadScheduledExecutor(work -> {
            Thread thread = new Thread(work, "heartbeat");
            thread.setDaemon(true);
            return thread;
        });
        long pauseMillis = lease.toMillis() / BEATS_PER_LEASE;
        ScheduledFuture<?> unused =
                beating.scheduleAtFixedRate(this::beat, pauseMillis, pauseMillis, TimeUnit.MILLISECONDS);
    }

    private void beat() {
        try {
            store.live(self.id(), lease);
            events.publishEvent(new LeaseRenewed());
        } catch (RuntimeException unreachable) {
            log.warn("The lease of this service could not be renewed: {}", unreachable.getMessage());
        }
    }

    @Override
    public synchronized void stop() {
        if (beating != null) {
            beating.shutdownNow();
            beating = null;
        }
        try {
            store.leave(self.id());
        } catch (RuntimeException unreachable) {
            log.warn("The lease of this service ends by itself: {}", unreachable.getMessage());
        }
    }

    @Override
    public synchronized boolean isRunning() {
        return beating != null;
    }

    @Override
    public int getPhase() {
        return PHASE;
    }
}
