package io.loadertuner.service.study;

import io.loadertuner.core.loader.ProcessLog;
import io.loadertuner.core.tuning.Preparation;
import io.loadertuner.core.tuning.TrialRecord;
import io.loadertuner.core.tuning.TrialReport;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.springframework.stereotype.Service;

/** What was studied and is being studied, for people to look at. */
@Service
public class StudyHistory {
    private final HistoryStore history;
    private final StudyStore studies;
    private final TrialStore trials;
    private final RetryStore retries;
    private final LogStore logs;
    private final InstantSource clock;

    StudyHistory(
            HistoryStore history,
            StudyStore studies,
            TrialStore trials,
            RetryStore retries,
            LogStore logs,
            InstantSource clock) {
        this.history = history;
        this.studies = studies;
        this.trials = trials;
        this.retries = retries;
        this.logs = logs;
        this.clock = clock;
    }

    /** The studies of one page of the list. */
    public List<ShownStudy> list(HistoryQuery query) {
        return history.list(query, clock.instant());
    }

    /** How many studies the whole list has. */
    public int count(HistoryQuery query) {
        return history.count(query);
    }

    /**
     * @throws UnknownStudyException if there is none
     */
    public ShownStudy find(String id) {
        return history.find(id, clock.instant())
                .orElseThrow(() -> new UnknownStudyException("there is no study '" + id + "'"));
    }

    /** Its trials with their rounds, in the order of their numbers. */
    public List<TrialRecord> trials(String id) {
        return trials.all(id);
    }

    /** What was found before its first trial. */
    public Optional<Preparation> preparation(String id) {
        return studies.preparation(id);
    }

    /**
     * @throws UnknownStudyException if there is no such trial
     */
    public ShownTrial trial(String id, int number) {
        TrialRecord record = trials.find(id, number)
                .orElseThrow(() -> new UnknownStudyException("study '" + id + "' has no trial " + number));
        Optional<Preparation> preparation = studies.preparation(id);
        return new ShownTrial(
                record,
                TrialReport.of(record, preparation),
                trials.arrivals(id, number),
                logs.find(id, number).map(ProcessLog::text).orElse(""),
                retries.ofTrial(id, number).stream()
                        .map(retry -> shown(retry, record, preparation))
                        .toList());
    }

    private static ShownTrial.ShownRetry shown(Retry retry, TrialRecord trial, Optional<Preparation> preparation) {
        RetryAnswer answer = RetryAnswer.of(retry, trial, preparation);
        return new ShownTrial.ShownRetry(
                retry.state().column(), retry.askedAt(), answer.throughput(), answer.failure());
    }
}
