package io.loadertuner.core.loader.jcuda;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;

/** Samples that are their own number and seed: two longs. Some cannot be decoded. */
final class NumberedSource implements SampleSource {
    private final int length;
    private final Set<Integer> corrupt;

    NumberedSource(int length, Integer... corrupt) {
        this.length = length;
        this.corrupt = Set.of(corrupt);
    }

    @Override
    public int length() {
        return length;
    }

    @Override
    public int sampleBytes() {
        return 2 * Long.BYTES;
    }

    @Override
    public List<Integer> shape() {
        return List.of(2);
    }

    @Override
    public String dtype() {
        return "int64";
    }

    @Override
    public long read(int index, long seed, ByteBuffer into, int at) throws CorruptSampleException {
        if (corrupt.contains(index)) {
            throw new CorruptSampleException("sample " + index + " is corrupt");
        }
        into.putLong(at, index).putLong(at + Long.BYTES, seed);
        return index % 10;
    }

    @Override
    public void close() {}
}
