package io.loadertuner.core.loader.pytorch;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** What a child process printed: the first and the last part of it, each of bounded size. */
final class BoundedLog {
    private static final int PART_BYTES = 32 * 1024;

    private final byte[] head = new byte[PART_BYTES];
    private final byte[] tail = new byte[PART_BYTES];
    private long written;

    /** Reads until the stream ends; whatever the child prints never blocks it. */
    void drain(InputStream stream) {
        byte[] buffer = new byte[8192];
        try (stream) {
            for (int count = stream.read(buffer); count >= 0; count = stream.read(buffer)) {
                append(buffer, count);
            }
        } catch (IOException closed) {
            append(("\n[log ended: " + closed.getMessage() + "]\n").getBytes(StandardCharsets.UTF_8));
        }
    }

    private void append(byte[] bytes) {
        append(bytes, bytes.length);
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
    synchronized String text() {
        if (written <= PART_BYTES) {
            return new String(head, 0, (int) written, StandardCharsets.UTF_8);
        }
        String start = new String(head, StandardCharsets.UTF_8);
        long beyond = written - PART_BYTES;
        if (beyond <= PART_BYTES) {
            return start + new String(tail, 0, (int) beyond, StandardCharsets.UTF_8);
        }
        int oldest = (int) (beyond % PART_BYTES);
        byte[] ordered = Arrays.copyOf(Arrays.copyOfRange(tail, oldest, PART_BYTES), PART_BYTES);
        System.arraycopy(tail, 0, ordered, PART_BYTES - oldest, oldest);
        return start + "\n[… " + (beyond - PART_BYTES) + " bytes left out …]\n"
                + new String(ordered, StandardCharsets.UTF_8);
    }
}
