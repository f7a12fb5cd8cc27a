import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;

/**
 * Loads a service with one kind of call: {@code java Load.java PORT lookup|liveness CONNECTIONS SECONDS [RATE]}. With a rate,
 * in calls a second over all connections, each call is due at its time whether or not the one before it was answered in time,
 * and its latency counts from then, but for the first two seconds, in which this program itself is compiled; without one each
 * connection sends its next call when the last was answered. Prints a line of JSON. Sockets and threads only: an HTTP client would take as much of the machine as the service.
 */
public class Load {
    private static final int DATASETS = 2_000;
    private static final int VERSIONS = 5;

    private static final double SECONDS_NOT_COUNTED = 2;

    private final int port;
    private final boolean lookup;
    private final int connections;
    private final double seconds;
    private final double rate;

    private Load(String[] arguments) {
        this.port = Integer.parseInt(arguments[0]);
        this.lookup = arguments[1].equals("lookup");
        this.connections = Integer.parseInt(arguments[2]);
        this.seconds = Double.parseDouble(arguments[3]);
        this.rate = arguments.length > 4 ? Double.parseDouble(arguments[4]) : 0;
    }

    public static void main(String[] arguments) throws Exception {
        new Load(arguments).run();
    }

    private void run() throws Exception {
        long[] processorBefore = processor();
        long begun = System.nanoTime();
        List<Caller> callers = new ArrayList<>();
        for (int number = 0; number < connections; number++) {
            Caller caller = new Caller(number, begun);
            callers.add(caller);
            caller.start();
        }
        long count = 0;
        for (Caller caller : callers) {
            caller.join();
            if (caller.failure != null) {
                throw new IOException("a call failed: " + caller.failure, caller.failure);
            }
            count += caller.count;
        }
        double taken = (System.nanoTime() - begun) / 1e9;
        long[] processorAfter = processor();
        double[] micros = callers.stream()
                .flatMapToDouble(caller -> Arrays.stream(caller.nanos, 0, caller.count).mapToDouble(nanos -> nanos / 1e3))
                .sorted()
                .toArray();
        System.out.printf(
                Locale.ROOT,
                "{\"calls\": %d, \"rate\": %.0f, \"p50_ms\": %.3f, \"p99_ms\": %.3f, \"max_ms\": %.3f, \"idle\": %.3f}%n",
                count,
                count / (rate > 0 ? taken - SECONDS_NOT_COUNTED : taken),
                quantile(micros, 0.5) / 1e3,
                quantile(micros, 0.99) / 1e3,
                micros[micros.length - 1] / 1e3,
                (double) (processorAfter[1] - processorBefore[1]) / (processorAfter[0] - processorBefore[0]));
    }

    private static double quantile(double[] sorted, double share) {
        return sorted[(int) Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
    }

    /** Ticks of all processors: all of them, and those idle. */
    private static long[] processor() throws IOException {
        String[] fields = Files.readAllLines(Path.of("/proc/stat")).get(0).trim().split("\\s+");
        long all = 0;
        for (int field = 1; field <= 8; field++) {
            all += Long.parseLong(fields[field]);
        }
        return new long[] {all, Long.parseLong(fields[4]) + Long.parseLong(fields[5])};
    }

    private final class Caller extends Thread {
        private final Random random;
        private final long begun;
        private final int number;
        private long[] nanos = new long[1 << 16];
        private int count;
        private Exception failure;

        Caller(int number, long begun) {
            this.number = number;
            this.begun = begun;
            this.random = new Random(number);
        }

        @Override
        public void run() {
            try (Socket socket = new Socket("127.0.0.1", port)) {
                socket.setTcpNoDelay(true);
                InputStream answers = new BufferedInputStream(socket.getInputStream(), 1 << 15);
                long end = begun + (long) (seconds * 1e9);
                for (long call = 0; ; call++) {
                    long due = System.nanoTime();
                    if (rate > 0) {
                        due = begun + (long) ((call * connections + number) / rate * 1e9);
                        for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
                            LockSupport.parkNanos(left);
                        }
                    }
                    if (due > end) {
                        return;
                    }
                    socket.getOutputStream().write(request());
                    read(answers);
                    if (rate > 0 && due < begun + SECONDS_NOT_COUNTED * 1e9) {
                        continue;
                    }
                    if (count == nanos.length) {
                        nanos = Arrays.copyOf(nanos, 2 * count);
                    }
                    nanos[count++] = System.nanoTime() - due;
                }
            } catch (IOException | RuntimeException failed) {
                failure = failed;
            }
        }

        /** Of 20 lookups 16 ask for what was measured, three for another version of it, and one for nothing that is known. */
        private byte[] request() {
            String path = "/actuator/health/liveness";
            if (lookup) {
                int kind = random.nextInt(20);
                String dataset = "dataset-" + (kind == 0 ? "unknown" : 1 + random.nextInt(DATASETS));
                int version = kind < 4 ? 1 + VERSIONS : 1 + random.nextInt(VERSIONS);
                path = "/api/v1/recommendations?dataset=" + dataset + "&version=" + version;
            }
            return ("GET " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n").getBytes(StandardCharsets.US_ASCII);
        }

        private void read(InputStream answers) throws IOException {
            int length = -1;
            boolean chunked = false;
            String status = line(answers);
            if (!status.startsWith("HTTP/1.1 200")) {
                throw new IOException("answered " + status);
            }
            for (String line = line(answers); !line.isEmpty(); line = line(answers)) {
                String header = line.toLowerCase(Locale.ROOT);
                if (header.startsWith("content-length:")) {
                    length = Integer.parseInt(header.substring(15).trim());
                } else if (header.startsWith("transfer-encoding:")) {
                    chunked = true;
                }
            }
            while (chunked) {
                int chunk = Integer.parseInt(line(answers), 16);
                answers.skipNBytes(chunk + 2L);
                chunked = chunk > 0;
            }
            if (length > 0) {
                answers.skipNBytes(length);
            }
        }

        private String line(InputStream answers) throws IOException {
            StringBuilder line = new StringBuilder(80);
            for (int next = answers.read(); next != '\n'; next = answers.read()) {
                if (next < 0) {
                    throw new IOException("the connection was closed");
                }
                if (next != '\r') {
                    line.append((char) next);
                }
            }
            return line.toString();
        }
    }
}
