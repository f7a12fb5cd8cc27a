package io.loadertuner.service.replica;

import io.loadertuner.service.replica.Notice.Kind;
import io.loadertuner.service.settings.Database;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.SmartLifecycle;
import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Component;
import org.springframework.transaction.TransactionException;

/**
 * What services on one PostgreSQL tell each other: each {@link Notice} of another service is published as an event here. An
 * embedded database has one service, which has nobody to tell.
 */
@Component
public class Bulletin implements SmartLifecycle {
    private static final Logger log = LoggerFactory.getLogger(Bulletin.class);

    /** A connection that was cut without a word is found out by then. */
    private static final int MILLISECONDS_BETWEEN_SIGNS = 5_000;

    private static final long MILLISECONDS_AFTER_TROUBLE = 1_000;

    private final Database database;
    private final ReplicaStore store;
    private final Replica self;
    private final ApplicationEventPublisher events;
    private final boolean listens;
    private volatile @Nullable Thread listening;
    private volatile @Nullable Connection connection;

    Bulletin(
            Database database,
            ReplicaStore store,
            Replica self,
            ApplicationEventPublisher events,
            ApplicationContext context) {
        this.database = database;
        this.store = store;
        this.self = self;
        this.events = events;
        this.listens = database.isShared() && context instanceof WebServerApplicationContext;
    }

    /** Tells the others. Whoever does not hear it looks for itself before a third of a lease is over. */
    public void tell(Notice notice) {
        if (!database.isShared()) {
            return;
        }
        try {
            store.tell(notice.text(self.id()));
        } catch (DataAccessException | TransactionException unheard) {
            log.debug("Other services could not be told {}", notice, unheard);
        }
    }

    @Override
    public boolean isAutoStartup() {
        return listens;
    }

    @Override
    public void start() {
        Thread thread = new Thread(this::listen, "bulletin");
        thread.setDaemon(true);
        listening = thread;
        thread.start();
    }

    @Override
    public void stop() {
        listening = null;
        close();
    }

    @Override
    public boolean isRunning() {
        return listening != null;
    }

    /** Before whatever listens to it does anything. */
    @Override
    public int getPhase() {
        return Heartbeat.PHASE;
    }

    private void listen() {
        while (isRunning()) {
            try (Connection opened = database.connection()) {
                connection = opened;
                hear(opened);
            } catch (SQLException cut) {
                if (isRunning()) {
                    log.warn("Other services are not heard: {}; trying again", cut.getMessage());
                    pause();
                }
            }
        }
    }

    private void hear(Connection opened) throws SQLException {
        try (Statement statement = opened.createStatement()) {
            statement.execute("listen " + ReplicaStore.CHANNEL);
            publish(new Notice(Kind.MISSED, null));
            PGConnection told = opened.unwrap(PGConnection.class);
            while (isRunning()) {
                PGNotification[] heard = told.getNotifications(MILLISECONDS_BETWEEN_SIGNS);
                if (heard == null || heard.length == 0) {
                    statement.execute("select 1");
                    continue;
                }
                for (PGNotification each : heard) {
                    publish(Notice.heard(each.getParameter(), self.id()));
                }
            }
        }
    }

    private void publish(@Nullable Notice notice) {
        if (notice == null) {
            return;
        }
        try {
            events.publishEvent(notice);
        } catch (RuntimeException unheeded) {
            log.warn("What another service told could not be heeded: {}", notice, unheeded);
        }
    }

    private void pause() {
        try {
            Thread.sleep(MILLISECONDS_AFTER_TROUBLE);
        } catch (InterruptedException nobodyInterruptsHere) {
            Thread.currentThread().interrupt();
        }
    }

    private void close() {
        Connection opened = connection;
        if (opened != null) {
            try {
                opened.close();
            } catch (SQLException gone) {
                log.debug("The connection to hear others on was gone", gone);
            }
        }
    }
}
