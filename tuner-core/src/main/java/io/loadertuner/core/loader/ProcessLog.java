package io.loadertuner.core.loader;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * What processes printed: all of it where it is short, else its beginning and its end, each of at most {@value #PART_BYTES}
 * bytes.
 */
public final class ProcessLog {
    public static final int PART_BYTES = 32 * 1024;

    public static final ProcessLog EMPTY = new ProcessLog(new byte[0], 0, new byte[0]);

    private final byte[] head;
    private final long leftOutBytes;
    private final byte[] tail;

    private ProcessLog(byte[] head, long leftOutBytes, byte[] tail) {
        this.head = head;
        this.leftOutBytes = leftOutBytes;
        this.tail = tail;
    }

    /**
     * @param head what came first, full where anything follows
     * @param leftOutBytes how much is missing between the two, 0 for nothing
     * @param tail what came last
     */
    public static ProcessLog of(byte[] head, long leftOutBytes, byte[] tail) {
        return new ProcessLog(head.clone(), leftOutBytes, tail.clone());
    }

    public static ProcessLog of(String text) {
        return EMPTY.then(new ProcessLog(text.getBytes(StandardCharsets.UTF_8), 0, new byte[0]));
    }

    /** This and then the next, within the same bounds. */
    public ProcessLog then(ProcessLog next) {
        ByteArrayOutputStream joined = new ByteArrayOutputStream();
        for (byte[] part : new byte[][] {head, tail, next.head, next.tail}) {
            joined.writeBytes(part);
        }
        byte[] all = joined.toByteArray();
        byte[] first = Arrays.copyOf(all, Math.min(PART_BYTES, all.length));
        int lastBytes = Math.min(PART_BYTES, all.length - first.length);
        byte[] last = Arrays.copyOfRange(all, all.length - lastBytes, all.length);
        long kept = (long) first.length + last.length;
        return new ProcessLog(first, leftOutBytes + next.leftOutBytes + all.length - kept, last);
    }

    public boolean isEmpty() {
        return head.length == 0;
    }

    public byte[] head() {
        return head.clone();
    }

    public long leftOutBytes() {
        return leftOutBytes;
    }

    public byte[] tail() {
        return tail.clone();
    }

    /** As text in UTF-8; a line in its middle says how much was left out. */
    public String text() {
        if (leftOutBytes == 0) {
            ByteArrayOutputStream whole = new ByteArrayOutputStream();
            whole.writeBytes(head);
            whole.writeBytes(tail);
            return whole.toString(StandardCharsets.UTF_8);
        }
        return new String(head, StandardCharsets.UTF_8) + "\n[… " + leftOutBytes + " bytes left out …]\n"
                + new String(tail, StandardCharsets.UTF_8);
    }
}
