package io.loadertuner.core.loader.jcuda;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/** Samples of one size that can be read in any order, by several threads at once. */
public interface SampleSource extends AutoCloseable {

    /** Samples, at least 0. */
    int length();

    /** Bytes of one sample, at least 1. */
    int sampleBytes();

    /** Lengths of a sample's axes. */
    List<Integer> shape();

    /** Element type by NumPy's name: {@code float32}, {@code uint8}. */
    String dtype();

    /**
     * Writes a sample into its place.
     *
     * @param index from 0 to {@code length() - 1}
     * @param seed of whatever is random in it; the same seed gives the same bytes
     * @param into positions are given, its own is left alone
     * @param at where the sample begins
     * @return its class number, 0 where there are no classes
     * @throws CorruptSampleException if this one sample cannot be decoded
     * @throws IOException if it cannot be read
     */
    long read(int index, long seed, ByteBuffer into, int at) throws IOException, CorruptSampleException;

    /** Gives back what it holds. No sample is to be read any more. */
    @Override
    void close() throws IOException;
}
