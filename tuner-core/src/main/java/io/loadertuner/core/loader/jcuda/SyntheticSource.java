package io.loadertuner.core.loader.jcuda;

import io.loadertuner.core.space.InvalidFieldException;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * Samples that wait and burn processor time as told, {@code float32} and filled with their index: for demonstrations and tests.
 */
public final class SyntheticSource implements SampleSource {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final int length;
    private final List<Integer> shape;
    private final int values;
    private final long waitNanos;
    private final long burnNanos;

    private SyntheticSource(int length, List<Integer> shape, int values, long waitNanos, long burnNanos) {
        this.length = length;
        this.shape = shape;
        this.values = values;
        this.waitNanos = waitNanos;
        this.burnNanos = burnNanos;
    }

    /**
     * @param samples at least 0
     * @param shape lengths of a sample's axes, each at least 1, below 2 GiB together
     * @param wait how long each sample sleeps, not negative
     * @param burn how much processor time each takes, not negative
     * @throws InvalidFieldException naming what is out of its range
     */
    public static SyntheticSource of(int samples, List<Integer> shape, Duration wait, Duration burn) {
        InvalidFieldException.requireRange("samples", samples, 0, Integer.MAX_VALUE);
        requireNotNegative("sample_milliseconds", wait);
        requireNotNegative("cpu_milliseconds", burn);
        long values = 1;
        for (int size : shape) {
            InvalidFieldException.requireRange("shape", size, 1, Integer.MAX_VALUE / Float.BYTES);
            values *= size;
            if (values > Integer.MAX_VALUE / Float.BYTES) {
                throw new InvalidFieldException("shape", "makes samples of 2 GiB and more: " + shape);
            }
        }
        return new SyntheticSource(samples, List.copyOf(shape), (int) values, wait.toNanos(), burn.toNanos());
    }

    private static void requireNotNegative(String field, Duration duration) {
        if (duration.isNegative()) {
            throw new InvalidFieldException(field, "must not be negative, but is " + duration);
        }
    }

    @Override
    public int length() {
        return length;
    }

    @Override
    public int sampleBytes() {
        return values * Float.BYTES;
    }

    @Override
    public List<Integer> shape() {
        return shape;
    }

    @Override
    public String dtype() {
        return "float32";
    }

    @Override
    public long read(int index, long seed, ByteBuffer into, int at) throws IOException {
        sleep();
        burn();
        for (int value = 0; value < values; value++) {
            into.putFloat(at + value * Float.BYTES, index);
        }
        return 0;
    }

    /** An interrupted sleep ends early: whoever interrupts wants no more samples. */
    private void sleep() {
        long end = System.nanoTime() + waitNanos;
        for (long left = waitNanos;
                left > 0 && !Thread.currentThread().isInterrupted();
                left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    /** By the thread's own processor time: a wall clock would burn less on a busy machine. */
    private void burn() {
        if (burnNanos > 0) {
            long end = THREADS.getCurrentThreadCpuTime() + burnNanos;
            while (THREADS.getCurrentThreadCpuTime() < end) {
                Thread.onSpinWait();
            }
        }
    }

    @Override
    public void close() {}
}
