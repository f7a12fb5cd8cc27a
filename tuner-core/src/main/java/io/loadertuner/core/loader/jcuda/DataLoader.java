package io.loadertuner.core.loader.jcuda;

import io.loadertuner.core.space.InvalidFieldException;
import io.loadertuner.core.space.LoaderConfig;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * Loads batches of a {@link SampleSource} with threads of its own. What comes, and in which order, follows from the seed alone,
 * whatever the settings. To be read by one thread at a time.
 *
 * <pre>{@code
 * try (SampleSource source = ArraySource.open(Path.of("train.npy"));
 *         DataLoader loader = DataLoader.builder(source).batchSize(64).numWorkers(4).seed(7).build()) {
 *     for (Batch batch : loader) {
 *         train(batch.data(), batch.samples());
 *     }
 * }
 * }</pre>
 */
public final class DataLoader implements Iterable<Batch>, AutoCloseable {
    private final SampleSource source;
    private final Builder settings;
    private final EpochOrder order;
    private final int batchesPerEpoch;
    private final long batches;
    private final List<Thread> threads = new ArrayList<>();
    private final Lane[] lanes;
    private final @Nullable Batch own;
    private final Queue<String> skipped = new ConcurrentLinkedQueue<>();
    private long next;
    private boolean handedOver;
    private volatile boolean closed;

    private DataLoader(Builder settings) {
        this.settings = settings;
        this.source = settings.source;
        this.order = new EpochOrder(source.length(), settings.seed);
        this.batchesPerEpoch = settings.batchesPerEpoch();
        this.batches = batchesPerEpoch == 0 ? 0 : Math.multiplyExact((long) settings.epochs, batchesPerEpoch);
        this.lanes = new Lane[settings.numWorkers];
        this.own = settings.numWorkers == 0 ? settings.newBatch() : null;
        for (int worker = 0; worker < settings.numWorkers; worker++) {
            lanes[worker] = lane();
        }
        for (int worker = 0; worker < settings.numWorkers; worker++) {
            int first = worker;
            Thread thread = new Thread(() -> work(first), "loader-" + worker);
            thread.setDaemon(true);
            threads.add(thread);
        }
        threads.forEach(Thread::start);
    }

    /** One more than are in flight: the one that is read. */
    private Lane lane() {
        Batch[] ring = new Batch[settings.prefetchFactor + 1];
        for (int place = 0; place < ring.length; place++) {
            ring[place] = settings.newBatch();
        }
        return new Lane(ring);
    }

    /** Begins with PyTorch's defaults: no workers, batches of one, every sample of one epoch. */
    public static Builder builder(SampleSource source) {
        return new Builder(source);
    }

    /** Batches of an epoch. */
    public int batchesPerEpoch() {
        return batchesPerEpoch;
    }

    /** What was skipped so far, as it names itself. */
    public List<String> skipped() {
        return List.copyOf(skipped);
    }

    /** Goes on where it was left: there is one pass over all epochs. */
    @Override
    public Iterator<Batch> iterator() {
        return new Iterator<>() {
            @Override
            public boolean hasNext() {
                return next < batches;
            }

            @Override
            public Batch next() {
                try {
                    return take();
                } catch (InterruptedException interrupted) {
                    Thread.currentThread().interrupt();
                    throw new LoadingException("interrupted while waiting for a batch", interrupted);
                }
            }
        };
    }

    /**
     * The next batch; the one before it is used again from now on.
     *
     * @throws NoSuchElementException after the last
     * @throws LoadingException if a sample could not be read, naming it; no further batch comes then
     * @throws InterruptedException if interrupted while waiting
     * @throws IllegalStateException if it is closed
     */
    public Batch take() throws InterruptedException {
        if (closed) {
            throw new IllegalStateException("the loader is closed");
        }
        if (next >= batches) {
            throw new NoSuchElementException("there is no further batch");
        }
        Batch batch = own == null ? fromWorker() : filledHere(own);
        Throwable failure = batch.failure();
        if (failure != null) {
            throw new LoadingException(String.valueOf(failure.getMessage()), failure);
        }
        next++;
        return batch;
    }

    private Batch filledHere(Batch batch) {
        fill(batch, next);
        return batch;
    }

    private Batch fromWorker() throws InterruptedException {
        if (handedOver) {
            lanes[(int) ((next - 1) % lanes.length)].given();
            handedOver = false;
        }
        Batch batch = lanes[(int) (next % lanes.length)].toRead();
        handedOver = batch.failure() == null;
        return batch;
    }

    /** A worker's batches are every so many-th, as with PyTorch's. */
    private void work(int first) {
        Lane lane = lanes[first];
        for (long number = first; number < batches; number += lanes.length) {
            Batch batch = lane.toFill();
            if (batch == null) {
                return;
            }
            fill(batch, number);
            lane.filled();
            if (batch.failure() != null) {
                return;
            }
        }
    }

    private void fill(Batch batch, long number) {
        long epoch = number / batchesPerEpoch;
        int from = (int) (number % batchesPerEpoch) * settings.batchSize;
        int to = (int) Math.min((long) from + settings.batchSize, source.length());
        batch.begin(epoch);
        try {
            int[] indices = order.of(epoch);
            for (int place = from; place < to; place++) {
                add(batch, epoch, indices[place]);
            }
            batch.complete();
        } catch (IOException | CorruptSampleException | RuntimeException | Error failed) {
            batch.fail(failed);
        }
    }

    private void add(Batch batch, long epoch, int index) throws IOException, CorruptSampleException {
        try {
            long label = source.read(index, order.sampleSeed(epoch, index), batch.data(), batch.end());
            batch.written(index, label);
        } catch (CorruptSampleException corrupt) {
            if (settings.onCorrupt == OnCorrupt.FAIL) {
                throw corrupt;
            }
            skipped.add(String.valueOf(corrupt.getMessage()));
        }
    }

    /** Ends its threads, and waits until they have. The source stays open. */
    @Override
    public void close() {
        closed = true;
        for (Lane lane : lanes) {
            lane.close();
        }
        boolean interrupted = false;
        for (Thread thread : threads) {
            interrupted |= awaitEnd(thread);
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static boolean awaitEnd(Thread thread) {
        boolean interrupted = false;
        while (true) {
            try {
                thread.join();
                return interrupted;
            } catch (InterruptedException hurried) {
                interrupted = true;
            }
        }
    }

    /** The settings, named as in PyTorch. */
    public static final class Builder {
        private final SampleSource source;
        private int batchSize = 1;
        private int numWorkers;
        private int prefetchFactor = LoaderConfig.DEFAULT_PREFETCH;
        private long seed;
        private boolean dropLast;
        private int epochs = 1;
        private OnCorrupt onCorrupt = OnCorrupt.FAIL;

        private Builder(SampleSource source) {
            this.source = source;
        }

        /** Samples in a batch, 1 to {@value LoaderConfig#MAX_BATCH}. */
        public Builder batchSize(int samples) {
            InvalidFieldException.requireRange("batch_size", samples, 1, LoaderConfig.MAX_BATCH);
            batchSize = samples;
            return this;
        }

        /** Threads, 0 to {@value LoaderConfig#MAX_WORKERS}; 0 reads in the thread that asks. */
        public Builder numWorkers(int threads) {
            InvalidFieldException.requireRange("num_workers", threads, 0, LoaderConfig.MAX_WORKERS);
            numWorkers = threads;
            return this;
        }

        /** Batches that each thread is ahead by, 1 to {@value LoaderConfig#MAX_PREFETCH}. */
        public Builder prefetchFactor(int batches) {
            InvalidFieldException.requireRange("prefetch_factor", batches, 1, LoaderConfig.MAX_PREFETCH);
            prefetchFactor = batches;
            return this;
        }

        /** Of the order and of what is random in samples. */
        public Builder seed(long anything) {
            seed = anything;
            return this;
        }

        /** Whether a last batch that is not full is left out. */
        public Builder dropLast(boolean leftOut) {
            dropLast = leftOut;
            return this;
        }

        /** How often every sample comes, at least 1; each time in another order. */
        public Builder epochs(int passes) {
            InvalidFieldException.requireRange("epochs", passes, 1, Integer.MAX_VALUE);
            epochs = passes;
            return this;
        }

        /** What becomes of samples that cannot be decoded. */
        public Builder onCorrupt(OnCorrupt policy) {
            onCorrupt = policy;
            return this;
        }

        private int batchesPerEpoch() {
            int whole = source.length() / batchSize;
            return dropLast || source.length() % batchSize == 0 ? whole : whole + 1;
        }

        private Batch newBatch() {
            return new Batch(
                    ByteBuffer.allocateDirect(Math.toIntExact((long) batchSize * source.sampleBytes())),
                    batchSize,
                    source.sampleBytes());
        }

        /**
         * Starts it.
         *
         * @throws InvalidFieldException if a batch would take 2 GiB or more
         */
        public DataLoader build() {
            if ((long) batchSize * source.sampleBytes() > Integer.MAX_VALUE) {
                throw new InvalidFieldException(
                        "batch_size",
                        "%d samples of %d bytes take 2 GiB or more; use fewer"
                                .formatted(batchSize, source.sampleBytes()));
            }
            return new DataLoader(this);
        }
    }
}
