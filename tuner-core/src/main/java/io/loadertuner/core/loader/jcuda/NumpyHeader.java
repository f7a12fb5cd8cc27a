package io.loadertuner.core.loader.jcuda;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a {@code .npy} file begins with (NumPy's format, versions 1 to 3).
 *
 * @param dtype by NumPy's name where it has one, else as the file writes it
 * @param itemBytes bytes of an element
 * @param shape lengths of the axes; not empty
 * @param dataOffset where the elements begin
 */
record NumpyHeader(String dtype, int itemBytes, List<Long> shape, long dataOffset) {
    private static final byte[] MAGIC = {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y'};
    private static final int PREAMBLE_BYTES = 8;
    private static final int LONGEST_HEADER = 1 << 20;
    private static final Pattern DESCRIPTION = Pattern.compile("'descr'\\s*:\\s*'([<>|=])([biufc?])(\\d+)'");
    private static final Pattern FORTRAN = Pattern.compile("'fortran_order'\\s*:\\s*(True|False)");
    private static final Pattern SHAPE = Pattern.compile("'shape'\\s*:\\s*\\(([\\d\\s,]*)\\)");
    private static final Map<Character, String> NAMES =
            Map.of('b', "int", 'i', "int", 'u', "uint", 'f', "float", 'c', "complex", '?', "bool");
    private static final int BITS = 8;

    /** @throws IOException naming the file, if it is none that can be mapped */
    static NumpyHeader read(FileChannel file, String name) throws IOException {
        ByteBuffer preamble = bytes(file, 0, PREAMBLE_BYTES, name);
        byte[] magic = new byte[MAGIC.length];
        preamble.get(magic);
        if (!Arrays.equals(magic, MAGIC)) {
            throw new IOException(name + " is no .npy file");
        }
        int major = preamble.get();
        int lengthBytes = major == 1 ? 2 : 4;
        ByteBuffer length = bytes(file, PREAMBLE_BYTES, lengthBytes, name).order(ByteOrder.LITTLE_ENDIAN);
        int headerBytes = major == 1 ? Short.toUnsignedInt(length.getShort()) : length.getInt();
        if (headerBytes < 0 || headerBytes > LONGEST_HEADER) {
            throw new IOException(name + " has a header of " + headerBytes + " bytes, which is no .npy file's");
        }
        long headerAt = (long) PREAMBLE_BYTES + lengthBytes;
        String text = StandardCharsets.ISO_8859_1
                .decode(bytes(file, headerAt, headerBytes, name))
                .toString();
        return parsed(text, headerAt + headerBytes, name);
    }

    private static ByteBuffer bytes(FileChannel file, long at, int count, String name) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(count);
        while (bytes.hasRemaining()) {
            if (file.read(bytes, at + bytes.position()) < 0) {
                throw new EOFException(name + " ends within its header");
            }
        }
        return bytes.flip();
    }

    private static NumpyHeader parsed(String text, long dataOffset, String name) throws IOException {
        Matcher description = DESCRIPTION.matcher(text);
        Matcher fortran = FORTRAN.matcher(text);
        Matcher shape = SHAPE.matcher(text);
        if (!description.find() || !fortran.find() || !shape.find()) {
            throw new IOException(name + " holds elements that cannot be mapped: " + text.strip());
        }
        List<Long> axes = Arrays.stream(shape.group(1).split(","))
                .map(String::strip)
                .filter(axis -> !axis.isEmpty())
                .map(Long::valueOf)
                .toList();
        if (axes.isEmpty()) {
            throw new IOException(name + " holds a single value, no rows");
        }
        if (fortran.group(1).equals("True") && axes.size() > 1) {
            throw new IOException(name + " lies in Fortran's order: its rows are not in one piece");
        }
        char kind = description.group(2).charAt(0);
        int itemBytes = Integer.parseInt(description.group(3));
        String swapped = description.group(1).equals(">") ? " (big endian)" : "";
        String numpyName = kind == 'b' || kind == '?' ? "bool" : NAMES.get(kind) + Integer.toString(BITS * itemBytes);
        return new NumpyHeader(numpyName + swapped, itemBytes, axes, dataOffset);
    }
}
