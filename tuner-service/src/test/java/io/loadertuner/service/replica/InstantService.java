package io.loadertuner.service.replica;

import static org.awaitility.Awaitility.await;

import io.loadertuner.core.loader.Loader;
import io.loadertuner.service.InstantLoader;
import io.loadertuner.service.LoaderTunerApplication;
import io.loadertuner.service.ServiceCalls;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.springframework.context.support.GenericApplicationContext;

/** The service in a process of its own, with an {@link InstantLoader} in place of PyTorch. */
final class InstantService {
    private static final Pattern LISTENS = Pattern.compile("listens on (http://\\S+)");
    private static final Duration TO_START = Duration.ofSeconds(90);

    private InstantService() {}

    /** The first argument is how long the loader waits before each round, in milliseconds; the others are the service's. */
    public static void main(String[] arguments) {
        InstantLoader loader = new InstantLoader();
        loader.waitBeforeRounds(Long.parseLong(arguments[0]));
        LoaderTunerApplication.application()
                .initializers(created -> ((GenericApplicationContext) created).registerBean(Loader.class, () -> loader))
                .run(Stream.of(arguments).skip(1).toArray(String[]::new));
    }

    /** One that listens, on a port of its own. */
    static Running start(Path folder, long millisBeforeRounds, String... properties) {
        try {
            Path log = Files.createTempFile(folder, "service-", ".log");
            List<String> command = new ArrayList<>(List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-XX:TieredStopAtLevel=1",
                    "-cp",
                    System.getProperty("java.class.path"),
                    InstantService.class.getName(),
                    Long.toString(millisBeforeRounds),
                    "--server.port=0",
                    "--loader-tuner.lease=2s",
                    "--loader-tuner.machine-type=test-machine",
                    "--loader-tuner.home=" + folder.resolve("home"),
                    "--loader-tuner.measuring-lock=" + log + ".lock"));
            Stream.of(properties).map(property -> "--" + property).forEach(command::add);
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
            Running running = new Running(process, log);
            running.awaitListening();
            return running;
        } catch (IOException notStarted) {
            throw new UncheckedIOException(notStarted);
        }
    }

    /** A process with its log. */
    record Running(Process process, Path logFile) implements AutoCloseable {
        String log() {
            try {
                return Files.readString(logFile, StandardCharsets.UTF_8);
            } catch (IOException unreadable) {
                throw new UncheckedIOException(unreadable);
            }
        }

        private void awaitListening() {
            await().atMost(TO_START).until(() -> LISTENS.matcher(log()).find() || !process.isAlive());
            if (!process.isAlive()) {
                throw new AssertionError("the service ended:\n" + log());
            }
        }

        ServiceCalls calls() {
            Matcher line = LISTENS.matcher(log());
            if (!line.find()) {
                throw new AssertionError("the service does not listen:\n" + log());
            }
            return new ServiceCalls(URI.create(line.group(1)));
        }

        /** Sends a signal by its name. */
        void signal(String name) throws IOException, InterruptedException {
            new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                    .start()
                    .waitFor();
        }

        @Override
        public void close() {
            process.destroyForcibly().onExit().join();
        }
    }
}
