package io.loadertuner.service.runner;

import io.loadertuner.core.loader.LoaderFacts;
import io.loadertuner.core.loader.TrialFailedException;
import io.loadertuner.core.space.LoaderConfig;
import io.loadertuner.core.tuning.Attempt;
import io.loadertuner.core.tuning.Canary;
import io.loadertuner.core.tuning.EarlierStudies;
import io.loadertuner.core.tuning.Journal;
import io.loadertuner.core.tuning.StudyReport;
import io.loadertuner.core.tuning.StudyRequest;
import java.io.IOException;
import java.util.Optional;

/**
 * Runs trials on machines of some type, one measurement at a time on each. Every call waits until the machine is free, but for
 * {@link #check}; it is interrupted when what it does was cancelled or the service stops, and ends within seconds then, with no process left.
 */
public interface Runner {

    /** The type of the machines that it runs trials on. */
    String machineType();

    /**
     * Runs a study to its end, or goes on with one whose journal is not empty.
     *
     * @return its last report; empty where the occasion did not begin
     * @throws IOException if the machine's lock cannot be taken
     */
    Optional<StudyReport> study(
            String id, StudyRequest request, Journal journal, EarlierStudies earlier, Occasion occasion)
            throws IOException, InterruptedException;

    /**
     * Measures one config of a study on its own.
     *
     * @return what came of it; empty where the occasion did not begin
     * @throws IOException if the machine's lock cannot be taken
     */
    Optional<Attempt> attempt(String id, StudyRequest request, LoaderConfig config, Occasion occasion)
            throws IOException, InterruptedException;

    /**
     * Looks at the config in use and the baseline in turn.
     *
     * @param seconds after which no further rounds begin
     * @return what was seen; empty where the occasion did not begin
     * @throws IOException if the machine's lock cannot be taken
     * @throws TrialFailedException if the dataset cannot be loaded
     */
    Optional<Canary> canary(
            String id,
            StudyRequest request,
            LoaderConfig incumbent,
            LoaderConfig baseline,
            double seconds,
            Occasion occasion)
            throws IOException, InterruptedException, TrialFailedException;

    /**
     * Builds what is described and reads from it.
     *
     * @return what was found; empty where the machine is not free
     * @throws IOException if the machine's lock cannot be taken
     * @throws TrialFailedException if the dataset cannot be loaded
     */
    Optional<LoaderFacts> check(StudyRequest request) throws IOException, InterruptedException, TrialFailedException;
}
