package io.loadertuner.service;

import io.loadertuner.core.loader.Loader;
import io.loadertuner.service.ServiceCalls.Answer;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;

/** The whole service in this JVM, on a port of its own, with an {@link InstantLoader} in place of PyTorch. */
public final class RunningService implements AutoCloseable {
    public static final Duration SOON = Duration.ofSeconds(30);

    private final ConfigurableApplicationContext context;
    private final InstantLoader loader;
    private final ServiceCalls calls;

    private RunningService(ConfigurableApplicationContext context, InstantLoader loader) {
        this.context = context;
        this.loader = loader;
        int port = Objects.requireNonNull(((WebServerApplicationContext) context).getWebServer())
                .getPort();
        this.calls = new ServiceCalls(URI.create("http://127.0.0.1:" + port));
    }

    /**
     * @param home of the service; its lock for measuring is a file in it
     * @param properties {@code name=value}
     */
    public static RunningService start(Path home, InstantLoader loader, String... properties) {
        return start(home, loader, InstantSource.system(), properties);
    }

    /** The same with another clock. */
    public static RunningService start(Path home, InstantLoader loader, InstantSource clock, String... properties) {
        List<String> arguments = new ArrayList<>(List.of(
                "--server.port=0",
                "--loader-tuner.home=" + home,
                "--loader-tuner.machine-type=test-machine",
                "--loader-tuner.measuring-lock=" + home.resolve("measuring.lock")));
        TestDatabase.properties(home).forEach(property -> arguments.add("--" + property));
        for (String property : properties) {
            String name = property.substring(0, property.indexOf('=') + 1);
            arguments.removeIf(argument -> argument.startsWith("--" + name));
            arguments.add("--" + property);
        }
        ConfigurableApplicationContext context = LoaderTunerApplication.application()
                .initializers(created -> {
                    GenericApplicationContext beans = (GenericApplicationContext) created;
                    beans.registerBean(Loader.class, () -> loader);
                    beans.registerBean("testClock", InstantSource.class, () -> clock, bean -> bean.setPrimary(true));
                })
                .run(arguments.toArray(String[]::new));
        return new RunningService(context, loader);
    }

    public InstantLoader loader() {
        return loader;
    }

    public ServiceCalls calls() {
        return calls;
    }

    public <T> T bean(Class<T> type) {
        return context.getBean(type);
    }

    /** A descriptor of a dataset that nothing has to be there for. */
    public static String descriptor(String name) {
        return """
                {"name": "%s", "source": {"kind": "synthetic", "samples": 10000},
                 "space": {"num_workers": [0, 1, 2], "prefetch_factor": [2], "batch_size": [32]}}
                """.formatted(name);
    }

    /** Posts a study that must be taken, and answers its id. */
    public String post(String json) {
        Answer answer = calls.post("/api/v1/studies", json);
        if (answer.status() != 202) {
            throw new AssertionError(answer.raw().body());
        }
        return answer.text("id");
    }

    public Answer study(String id) {
        return calls.get("/api/v1/studies/" + id);
    }

    public Answer awaitState(String id, String state) {
        return calls.awaitState(id, state, SOON);
    }

    /** Waits until so many rounds have been measured. */
    public void awaitRounds(int count) {
        calls.await("/api/v1/machine-types", SOON, any -> loader.rounds().size() >= count);
    }

    @Override
    public void close() {
        loader.allowAll();
        stop();
    }

    /** Ends it as SIGTERM does, with rounds still held back. */
    public void stop() {
        context.close();
    }
}
