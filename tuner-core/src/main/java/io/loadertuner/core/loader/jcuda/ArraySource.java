package io.loadertuner.core.loader.jcuda;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.util.List;

/** The rows of a {@code .npy} file, memory-mapped: a sample is copied once, from the page cache into its batch. */
public final class ArraySource implements SampleSource {
    /** A mapping has less than 2 GiB: a file is mapped in pieces of whole rows. */
    private static final long LONGEST_PIECE_BYTES = 1L << 30;

    private final NumpyHeader header;
    private final int length;
    private final int rowBytes;
    private final int rowsPerPiece;
    private final ByteBuffer[] pieces;

    private ArraySource(NumpyHeader header, int length, int rowBytes, int rowsPerPiece, ByteBuffer[] pieces) {
        this.header = header;
        this.length = length;
        this.rowBytes = rowBytes;
        this.rowsPerPiece = rowsPerPiece;
        this.pieces = pieces;
    }

    /** @throws IOException naming the file, if it cannot be mapped */
    public static ArraySource open(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file)) {
            NumpyHeader header = NumpyHeader.read(channel, file.toString());
            long rows = header.shape().get(0);
            long rowBytes = header.shape().stream().skip(1).reduce((long) header.itemBytes(), Math::multiplyExact);
            if (rows > Integer.MAX_VALUE || rowBytes > LONGEST_PIECE_BYTES || rowBytes == 0) {
                throw new IOException("%s has %d rows of %d bytes; up to %d rows of 1 to %d bytes can be loaded"
                        .formatted(file, rows, rowBytes, Integer.MAX_VALUE, LONGEST_PIECE_BYTES));
            }
            long end = Math.addExact(header.dataOffset(), Math.multiplyExact(rows, rowBytes));
            if (channel.size() < end) {
                throw new IOException(
                        "%s has %d bytes, but its header promises %d".formatted(file, channel.size(), end));
            }
            return mapped(channel, header, (int) rows, (int) rowBytes);
        } catch (ArithmeticException tooLarge) {
            throw new IOException(file + " promises more bytes than there can be", tooLarge);
        }
    }

    private static ArraySource mapped(FileChannel channel, NumpyHeader header, int rows, int rowBytes)
            throws IOException {
        int rowsPerPiece = (int) (LONGEST_PIECE_BYTES / rowBytes);
        ByteBuffer[] pieces = new ByteBuffer[(int) (((long) rows + rowsPerPiece - 1) / rowsPerPiece)];
        for (int piece = 0; piece < pieces.length; piece++) {
            long first = (long) piece * rowsPerPiece;
            long count = Math.min(rowsPerPiece, rows - first);
            pieces[piece] = channel.map(MapMode.READ_ONLY, header.dataOffset() + first * rowBytes, count * rowBytes);
        }
        return new ArraySource(header, rows, rowBytes, rowsPerPiece, pieces);
    }

    @Override
    public int length() {
        return length;
    }

    @Override
    public int sampleBytes() {
        return rowBytes;
    }

    @Override
    public List<Integer> shape() {
        return header.shape().stream().skip(1).map(Math::toIntExact).toList();
    }

    @Override
    public String dtype() {
        return header.dtype();
    }

    @Override
    public long read(int index, long seed, ByteBuffer into, int at) {
        into.put(at, pieces[index / rowsPerPiece], index % rowsPerPiece * rowBytes, rowBytes);
        return 0;
    }

    /** The mapping ends with the last reference to it: Java has no other way to end one. */
    @Override
    public void close() {}
}
