package io.loadertuner.core.tuning;

import io.loadertuner.core.loader.ProcessLog;
import io.loadertuner.core.space.LoaderConfig;
import java.util.List;
import java.util.Optional;

/** Hands on to another journal until its process is "killed" at the n-th thing written, before or after it is written. */
class DyingJournal implements Journal {
    private final Journal kept;
    private int writesLeft;
    private final boolean writtenBeforeDeath;

    /** Stands for the end of the process. */
    static final class Killed extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    DyingJournal(Journal kept, int writesLeft, boolean writtenBeforeDeath) {
        this.kept = kept;
        this.writesLeft = writesLeft;
        this.writtenBeforeDeath = writtenBeforeDeath;
    }

    private void write(Runnable write) {
        writesLeft--;
        if (writesLeft > 0 || (writesLeft == 0 && writtenBeforeDeath)) {
            write.run();
        }
        if (writesLeft <= 0) {
            throw new Killed();
        }
    }

    @Override
    public Optional<Preparation> preparation() {
        return kept.preparation();
    }

    @Override
    public void prepared(Preparation preparation) {
        write(() -> kept.prepared(preparation));
    }

    @Override
    public List<TrialRecord> trials() {
        return kept.trials();
    }

    @Override
    public void roundBegun(int number, LoaderConfig config) {
        write(() -> kept.roundBegun(number, config));
    }

    @Override
    public void printed(int number, ProcessLog log) {
        write(() -> kept.printed(number, log));
    }

    @Override
    public void roundMeasured(int number, RoundRecord round, List<Long> arrivalsMicros) {
        write(() -> kept.roundMeasured(number, round, arrivalsMicros));
    }

    @Override
    public void trialFailed(int number, FailureRecord failure) {
        write(() -> kept.trialFailed(number, failure));
    }

    @Override
    public void roundAbandoned(int number) {
        write(() -> kept.roundAbandoned(number));
    }

    @Override
    public void reported(StudyReport report) {
        write(() -> kept.reported(report));
    }
}
