package io.loadertuner.core.loader.pytorch;

import io.loadertuner.core.loader.ProcessLog;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Gathers what child processes print: the first and the last part of it, each of bounded size. */
final class BoundedLog {
    private static final int PART_BYTES = ProcessLog.PART_BYTES;
    private static final long QUIET_MILLISECONDS = 10;
    private static final int MOST_WAITS_FOR_QUIET = 20;

    private final byte[] head = new byte[PART_BYTES];
    private final byte[] tail = new byte[PART_BYTES];
    private long written;

    /**
     * Reads until the stream ends; whatever the child prints never blocks it.
     *
     * @param others get the same
     */
    void drain(InputStream stream, BoundedLog... others) {
        byte[] buffer = new byte[8192];
        try (stream) {
            for (int count = stream.read(buffer); count >= 0; count = stream.read(buffer)) {
                append(buffer, count, others);
            }
        } catch (IOException closed) {
            byte[] end = ("\n[log ended: " + closed.getMessage() + "]\n").getBytes(StandardCharsets.UTF_8);
            append(end, end.length, others);
        }
    }

    private void append(byte[] bytes, int count, BoundedLog... others) {
        append(bytes, count);
        for (BoundedLog other : others) {
            other.append(bytes, count);
        }
    }

    private synchronized void append(byte[] bytes, int count) {
        for (int i = 0; i < count; i++, written++) {
            if (written < PART_BYTES) {
                head[(int) written] = bytes[i];
            } else {
                tail[(int) ((written - PART_BYTES) % PART_BYTES)] = bytes[i];
            }
        }
    }

    /** The log so far; a line in its middle says how much was left out. */
    String text() {
        return content().text();
    }

    /** What was gathered since the last call. What a process printed right before it answered may be on its way yet. */
    ProcessLog take() {
        awaitQuiet();
        synchronized (this) {
            ProcessLog taken = content();
            written = 0;
            return taken;
        }
    }

    private void awaitQuiet() {
        try {
            long before = -1;
            for (int waits = 0; before != written() && waits < MOST_WAITS_FOR_QUIET; waits++) {
                before = written();
                Thread.sleep(QUIET_MILLISECONDS);
            }
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized long written() {
        return written;
    }

    private synchronized ProcessLog content() {
        if (written <= PART_BYTES) {
            return ProcessLog.of(Arrays.copyOf(head, (int) written), 0, new byte[0]);
        }
        long beyond = written - PART_BYTES;
        if (beyond <= PART_BYTES) {
            return ProcessLog.of(head, 0, Arrays.copyOf(tail, (int) beyond));
        }
        int oldest = (int) (beyond % PART_BYTES);
        byte[] ordered = Arrays.copyOf(Arrays.copyOfRange(tail, oldest, PART_BYTES), PART_BYTES);
        System.arraycopy(tail, 0, ordered, PART_BYTES - oldest, oldest);
        return ProcessLog.of(head, beyond - PART_BYTES, ordered);
    }
}
