package io.loadertuner.service.runner;

import io.loadertuner.core.loader.Loader;
import io.loadertuner.core.loader.LoaderFacts;
import io.loadertuner.core.loader.LoaderSession;
import io.loadertuner.core.loader.TrialFailedException;
import io.loadertuner.core.machine.MachineLock;
import io.loadertuner.core.space.LoaderConfig;
import io.loadertuner.core.tuning.Attempt;
import io.loadertuner.core.tuning.Canary;
import io.loadertuner.core.tuning.EarlierStudies;
import io.loadertuner.core.tuning.Journal;
import io.loadertuner.core.tuning.StudyReport;
import io.loadertuner.core.tuning.StudyRequest;
import io.loadertuner.core.tuning.Tuner;
import io.loadertuner.core.tuning.TuningListener;
import io.loadertuner.service.machine.ThisMachine;
import io.loadertuner.service.settings.TunerProperties;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Optional;
import org.springframework.stereotype.Component;

/** Runs trials on the service's own machine, which the lock of the operating system keeps for one process at a time. */
@Component
public final class LocalRunner implements Runner {
    private static final long SEED_OF_A_CHECK = 1;

    private final Loader loader;
    private final ThisMachine machine;
    private final InstantSource clock;
    private final Path measuringLock;

    public LocalRunner(Loader loader, ThisMachine machine, InstantSource clock, TunerProperties properties) {
        this.loader = loader;
        this.machine = machine;
        this.clock = clock;
        this.measuringLock = properties.measuringLockFile();
    }

    @Override
    public String machineType() {
        return machine.type();
    }

    @Override
    public Optional<StudyReport> study(
            String id, StudyRequest request, Journal journal, EarlierStudies earlier, Occasion occasion)
            throws IOException, InterruptedException {
        return alone(occasion, () -> tuner(earlier).run(id, request, journal, TuningListener.NONE));
    }

    @Override
    public Optional<Attempt> attempt(String id, StudyRequest request, LoaderConfig config, Occasion occasion)
            throws IOException, InterruptedException {
        return alone(occasion, () -> tuner(EarlierStudies.NONE).attempt(id, request, config));
    }

    @Override
    public Optional<Canary> canary(
            String id,
            StudyRequest request,
            LoaderConfig incumbent,
            LoaderConfig baseline,
            double seconds,
            Occasion occasion)
            throws IOException, InterruptedException, TrialFailedException {
        return alone(occasion, () -> tuner(EarlierStudies.NONE).canary(id, request, incumbent, baseline, seconds));
    }

    /** @param <F> what measuring fails with besides being interrupted */
    private interface Measurement<T, F extends Exception> {
        T take() throws InterruptedException, F;
    }

    /** Waits until the machine is free, and keeps it until the end. */
    private <T, F extends Exception> Optional<T> alone(Occasion occasion, Measurement<T, F> measurement)
            throws IOException, InterruptedException, F {
        MachineLock lock = MachineLock.acquire(
                measuringLock, occasion.purpose(), holder -> occasion.waitsFor(holder.description()));
        try {
            return occasion.begins() ? Optional.of(measurement.take()) : Optional.empty();
        } finally {
            lock.close();
        }
    }

    @Override
    public Optional<LoaderFacts> check(StudyRequest request)
            throws IOException, InterruptedException, TrialFailedException {
        Optional<MachineLock> free = MachineLock.tryAcquire(measuringLock, "check of " + request.name());
        if (free.isEmpty()) {
            return Optional.empty();
        }
        try (LoaderSession session = loader.open(request.descriptor(), SEED_OF_A_CHECK)) {
            StudyReport.Baseline baseline =
                    StudyReport.queued("check", request, null).baseline();
            return Optional.of(
                    session.check(baseline == null ? 1 : baseline.config().batchSize()));
        } finally {
            free.get().close();
        }
    }

    private Tuner tuner(EarlierStudies earlier) {
        return new Tuner(loader, machine::now, clock, earlier);
    }
}
