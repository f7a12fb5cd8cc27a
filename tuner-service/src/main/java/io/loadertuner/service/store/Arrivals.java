package io.loadertuner.service.store;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;

/**
 * The arrival times of a round's batches as bytes: how many there are, then the differences between neighbours, each as a
 * number of seven bits a byte, all of it deflated. A batch takes one to three bytes.
 */
public final class Arrivals {
    private static final int MORE = 0x80;
    private static final int SEVEN_BITS = 0x7f;
    private static final int LONGEST_SHIFT = 63;

    private Arrivals() {}

    /**
     * @param micros ascending, the first at least 0
     */
    public static byte[] pack(List<Long> micros) {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (OutputStream out = new DeflaterOutputStream(packed)) {
            write(out, micros.size());
            long before = 0;
            for (long arrival : micros) {
                if (arrival < before) {
                    throw new IllegalArgumentException(
                            "arrivals must ascend from 0, but " + arrival + " follows " + before);
                }
                write(out, arrival - before);
                before = arrival;
            }
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return packed.toByteArray();
    }

    /**
     * @throws UncheckedIOException if the bytes are not what {@link #pack} makes
     */
    public static List<Long> unpack(byte[] packed) {
        try (InputStream in = new InflaterInputStream(new ByteArrayInputStream(packed))) {
            long count = read(in);
            List<Long> micros = new ArrayList<>();
            long arrival = 0;
            for (long index = 0; index < count; index++) {
                arrival += read(in);
                micros.add(arrival);
            }
            return micros;
        } catch (IOException damaged) {
            throw new UncheckedIOException(damaged);
        }
    }

    private static void write(OutputStream out, long number) throws IOException {
        long rest = number;
        while (rest > SEVEN_BITS) {
            out.write((int) (rest & SEVEN_BITS) | MORE);
            rest >>>= 7;
        }
        out.write((int) rest);
    }

    private static long read(InputStream in) throws IOException {
        long number = 0;
        for (int shift = 0; shift < LONGEST_SHIFT; shift += 7) {
            int next = in.read();
            if (next < 0) {
                throw new EOFException("the arrivals end too early");
            }
            number |= (long) (next & SEVEN_BITS) << shift;
            if (next < MORE) {
                return number;
            }
        }
        throw new IOException("an arrival is longer than 63 bits");
    }
}
