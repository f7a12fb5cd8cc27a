package io.loadertuner.service;

import io.loadertuner.core.dataset.Source;
import io.loadertuner.core.loader.TrialFailedException;
import io.loadertuner.core.loader.pytorch.PythonInterpreters;
import io.loadertuner.service.machine.ThisMachine;
import io.loadertuner.service.settings.Home;
import java.net.InetAddress;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.web.server.autoconfigure.ServerProperties;
import org.springframework.boot.web.server.context.WebServerInitializedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/** Says once where the service listens and what it works with. */
@Component
class StartupReport {
    private static final Logger log = LoggerFactory.getLogger(StartupReport.class);

    private final ServerProperties server;
    private final Home home;
    private final ThisMachine machine;
    private final PythonInterpreters interpreters;

    StartupReport(ServerProperties server, Home home, ThisMachine machine, PythonInterpreters interpreters) {
        this.server = server;
        this.home = home;
        this.machine = machine;
        this.interpreters = interpreters;
    }

    @EventListener
    void listening(WebServerInitializedEvent started) {
        InetAddress address = Objects.requireNonNull(server.getAddress());
        String host = address.getHostAddress().contains(":")
                ? "[" + address.getHostAddress() + "]"
                : address.getHostAddress();
        log.info("Home is {}", home.folder());
        log.info("The machine type is {}", machine.type());
        log.info(
                "Loader Tuner listens on http://{}:{}",
                host,
                started.getWebServer().getPort());
        Thread search = new Thread(this::reportInterpreter, "interpreter");
        search.setDaemon(true);
        search.start();
    }

    /** Finding it may take seconds, for which nobody should wait. */
    private void reportInterpreter() {
        try {
            log.info("The default interpreter is {}", interpreters.named(Source.Python.DEFAULT_ENVIRONMENT));
        } catch (TrialFailedException none) {
            log.warn("There is no default interpreter: {}", none.failure().message());
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }
}
