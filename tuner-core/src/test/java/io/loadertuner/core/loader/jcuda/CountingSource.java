package io.loadertuner.core.loader.jcuda;

import static org.awaitility.Awaitility.await;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts what is read and by whom, and can be made to wait. */
final class CountingSource implements SampleSource {
    private static final Duration QUIET = Duration.ofMillis(300);

    private final int length;
    private final AtomicInteger read = new AtomicInteger();
    private final Set<Thread> threads = ConcurrentHashMap.newKeySet();
    private final CountDownLatch released = new CountDownLatch(1);
    private volatile boolean held;

    CountingSource(int length) {
        this.length = length;
    }

    void hold() {
        held = true;
    }

    void letGo() {
        released.countDown();
    }

    Set<Thread> threads() {
        return Set.copyOf(threads);
    }

    /** Waits until so many samples have been read, and for a while no more. */
    void awaitExactly(int count) {
        await().during(QUIET).atMost(Duration.ofSeconds(30)).until(() -> read.get() == count);
    }

    @Override
    public int length() {
        return length;
    }

    @Override
    public int sampleBytes() {
        return 1;
    }

    @Override
    public List<Integer> shape() {
        return List.of();
    }

    @Override
    public String dtype() {
        return "uint8";
    }

    @Override
    public long read(int index, long seed, ByteBuffer into, int at) {
        threads.add(Thread.currentThread());
        if (held) {
            awaitRelease();
        }
        into.put(at, (byte) index);
        read.incrementAndGet();
        return 0;
    }

    private void awaitRelease() {
        try {
            released.await();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {}
}
