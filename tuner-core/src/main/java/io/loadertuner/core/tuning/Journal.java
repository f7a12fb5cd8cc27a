package io.loadertuner.core.tuning;

import io.loadertuner.core.loader.ProcessLog;
import io.loadertuner.core.space.LoaderConfig;
import java.util.List;
import java.util.Optional;

/**
 * Where a study's findings go as they are made, and come back from after a restart. Every call has happened for good
 * when it returns: a process killed right after it has lost nothing.
 */
public interface Journal {

    /** What was found before the first trial; empty for a study that has not come so far. */
    Optional<Preparation> preparation();

    /** Also says more of what was prepared, once that is known. */
    void prepared(Preparation preparation);

    /** Every trial so far with its rounds, in the order of their numbers. */
    List<TrialRecord> trials();

    /** A round is about to be measured; the trial is new if its number is. */
    void roundBegun(int number, LoaderConfig config);

    /** The loading processes printed this in the trial's last round; never empty. It follows what they printed before. */
    void printed(int number, ProcessLog log);

    /**
     * A round has been measured; it is no longer open.
     *
     * @param arrivalsMicros when each of its batches arrived, microseconds since {@code iter()}; evidence that
     *     {@link #trials} does not bring back
     */
    void roundMeasured(int number, RoundRecord round, List<Long> arrivalsMicros);

    /** The trial has failed; its round is no longer open. */
    void trialFailed(int number, FailureRecord failure);

    /** The open round was given up in an orderly way: it counts as never begun. */
    void roundAbandoned(int number);

    /** How the study stands now. */
    void reported(StudyReport report);
}
