package io.loadertuner.core.loader.jcuda;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/** Some samples in one piece of memory. It and its memory are used again: it is good until the next batch is asked for. */
public final class Batch {
    private final ByteBuffer memory;
    private final int sampleBytes;
    private final long[] labels;
    private final int[] indices;
    private int samples;
    private long epoch;
    private @Nullable Throwable failure;

    Batch(ByteBuffer memory, int batchSize, int sampleBytes) {
        this.memory = memory.order(ByteOrder.nativeOrder());
        this.sampleBytes = sampleBytes;
        this.labels = new long[batchSize];
        this.indices = new int[batchSize];
    }

    /** The samples one after the other, in the machine's own byte order: from 0 to {@code samples() * sampleBytes}. */
    public ByteBuffer data() {
        return memory;
    }

    /** How many there are: fewer than the batch size at an epoch's end, and where some were skipped. */
    public int samples() {
        return samples;
    }

    /** The epoch that it is of, from 0. */
    public long epoch() {
        return epoch;
    }

    /**
     * A sample's class number.
     *
     * @param sample from 0 to {@code samples() - 1}
     */
    public long label(int sample) {
        return labels[sample];
    }

    /**
     * A sample's place in its source.
     *
     * @param sample from 0 to {@code samples() - 1}
     */
    public int index(int sample) {
        return indices[sample];
    }

    /** Where the next sample is to be written. */
    int end() {
        return samples * sampleBytes;
    }

    void begin(long ofEpoch) {
        epoch = ofEpoch;
        samples = 0;
        failure = null;
        memory.clear();
    }

    void written(int index, long label) {
        indices[samples] = index;
        labels[samples] = label;
        samples++;
    }

    void complete() {
        memory.limit(end());
    }

    void fail(Throwable why) {
        failure = why;
    }

    @Nullable
    Throwable failure() {
        return failure;
    }
}
