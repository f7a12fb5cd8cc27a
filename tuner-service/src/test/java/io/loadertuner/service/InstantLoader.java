package io.loadertuner.service;

import io.loadertuner.core.dataset.DatasetDescriptor;
import io.loadertuner.core.loader.FailureReason;
import io.loadertuner.core.loader.Loader;
import io.loadertuner.core.loader.LoaderFacts;
import io.loadertuner.core.loader.LoaderSession;
import io.loadertuner.core.loader.MeasuredRound;
import io.loadertuner.core.loader.ProcessLog;
import io.loadertuner.core.loader.RoundMeasurement;
import io.loadertuner.core.loader.Symptoms;
import io.loadertuner.core.loader.TrialFailedException;
import io.loadertuner.core.loader.TrialFailure;
import io.loadertuner.core.measure.MeasuredWindow;
import io.loadertuner.core.measure.RoundPlan;
import io.loadertuner.core.measure.WindowEdges;
import io.loadertuner.core.space.LoaderConfig;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ToLongFunction;
import java.util.stream.LongStream;

/**
 * A loader for tests that loads nothing and answers at once. Its rate grows with the workers up to two of them. Rounds can be
 * held back, so that a study is seen while it runs.
 */
public final class InstantLoader implements Loader {
    /** A dataset of this name cannot be built. */
    public static final String BROKEN = "broken";

    /** A dataset of this name makes the loader itself fail, as only a programming error does. */
    public static final String FAULTY = "faulty";

    /** A dataset whose name begins so hangs where there is one worker, until {@link #mend}. */
    public static final String HANGING = "hanging";

    /** A dataset of this name delivers at a rate that is no number where there is one worker, and uses that many cores. */
    public static final String ENDLESS = "endless";

    private static final int BATCHES = 40;

    /** A round as it was asked for. */
    public record Round(String dataset, LoaderConfig config) {}

    private final List<Round> rounds = new CopyOnWriteArrayList<>();
    private final List<DatasetDescriptor> opened = new CopyOnWriteArrayList<>();
    private final AtomicInteger openSessions = new AtomicInteger();
    private volatile ToLongFunction<LoaderConfig> rates = config -> 500L + 500L * Math.min(2, config.numWorkers());
    private volatile boolean mended;
    private volatile long millisBeforeRounds;
    private int allowed = Integer.MAX_VALUE;

    /** From now on, only so many rounds are measured; the next one waits. */
    public synchronized void allowRounds(int count) {
        allowed = count;
        notifyAll();
    }

    /** From now on, each round begins only after so many milliseconds. */
    public void waitBeforeRounds(long millis) {
        millisBeforeRounds = millis;
    }

    public void allowAll() {
        allowRounds(Integer.MAX_VALUE);
    }

    /** From now on, that many samples a second. */
    public void rates(ToLongFunction<LoaderConfig> samplesPerSecond) {
        rates = samplesPerSecond;
    }

    /** From now on nothing hangs. */
    public void mend() {
        mended = true;
    }

    /** The rounds measured, in order. */
    public List<Round> rounds() {
        return rounds;
    }

    /** What was opened, in order. */
    public List<DatasetDescriptor> opened() {
        return opened;
    }

    public int openSessions() {
        return openSessions.get();
    }

    @Override
    public LoaderSession open(DatasetDescriptor descriptor, long seed) throws TrialFailedException {
        opened.add(descriptor);
        if (descriptor.name().equals(BROKEN)) {
            throw new TrialFailedException(
                    TrialFailure.of(FailureReason.DATASET_ERROR, "ValueError: sample 3 is broken"));
        }
        if (descriptor.name().equals(FAULTY)) {
            throw new IllegalStateException("a fault in the loader");
        }
        openSessions.incrementAndGet();
        return new Session(descriptor.name());
    }

    private synchronized void awaitTurn() throws InterruptedException {
        while (allowed == 0) {
            wait();
        }
        if (allowed != Integer.MAX_VALUE) {
            allowed--;
        }
    }

    private final class Session implements LoaderSession {
        private final String dataset;
        private final StringBuilder printed = new StringBuilder();

        Session(String dataset) {
            this.dataset = dataset;
        }

        @Override
        public LoaderFacts check(int batchSize) {
            return new LoaderFacts(
                    "cpu",
                    null,
                    "3.11.7",
                    "2.13.0+cpu",
                    "fork",
                    "map",
                    10_000L,
                    List.of(new LoaderFacts.SamplePart("0", "tensor", List.of(3L, 8L, 8L), "float32")),
                    768L,
                    768L * batchSize,
                    batchSize,
                    0.001,
                    0.1,
                    false,
                    50_000_000L,
                    false,
                    null,
                    null,
                    new LoaderFacts.ProcessFacts(2, 2, 2, null, true));
        }

        @Override
        public double stepAlone(LoaderConfig config) {
            return 5000;
        }

        @Override
        public MeasuredRound measure(LoaderConfig config, RoundPlan plan, boolean withStep)
                throws TrialFailedException, InterruptedException {
            awaitTurn();
            // What a real loader takes for a round.
            Thread.sleep(millisBeforeRounds);
            rounds.add(new Round(dataset, config));
            printed.append(config.describe()).append('\n');
            boolean oneWorker = config.numWorkers() == 1;
            if (oneWorker && dataset.startsWith(HANGING) && !mended) {
                throw new TrialFailedException(TrialFailure.of(
                        FailureReason.TIMED_OUT, "nothing happened for 60.0 s", Map.of("stacks", List.of())));
            }
            long batches = Math.max(BATCHES, 2L * config.cycle());
            long microsPerBatch = 1_000_000L * config.batchSize() / rate(config);
            List<Long> arrivals = LongStream.rangeClosed(1, batches + 1)
                    .map(batch -> batch * microsPerBatch)
                    .boxed()
                    .toList();
            int cycles = (int) (batches / config.cycle());
            int last = cycles * config.cycle();
            boolean endless = oneWorker && dataset.equals(ENDLESS);
            MeasuredWindow window = endless
                    ? new MeasuredWindow(0, last, config.batchSize(), Double.MIN_VALUE)
                    : new WindowEdges(0, last).over(arrivals, (long) last * config.batchSize());
            RoundMeasurement measurement = new RoundMeasurement(
                    0.1,
                    0.05,
                    0.02,
                    0.5,
                    100_000_000L,
                    1_000_000L,
                    null,
                    null,
                    null,
                    dataset.equals(ENDLESS) ? Double.NaN : 1.0,
                    0.0,
                    "fork",
                    null,
                    window,
                    List.of(),
                    Symptoms.NONE);
            return new MeasuredRound(measurement, arrivals);
        }

        @Override
        public ProcessLog takeLog() {
            ProcessLog taken = ProcessLog.of(printed.toString());
            printed.setLength(0);
            return taken;
        }

        private long rate(LoaderConfig config) {
            return rates.applyAsLong(config);
        }

        @Override
        public void close() {
            openSessions.decrementAndGet();
        }
    }
}
