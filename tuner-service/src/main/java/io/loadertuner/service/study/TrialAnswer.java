package io.loadertuner.service.study;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.loadertuner.core.tuning.TrialRecord;
import io.loadertuner.core.tuning.TrialReport;
import java.util.List;

/** A trial with its rounds as it is answered. */
record TrialAnswer(@JsonUnwrapped TrialReport trial, List<RoundAnswer> rounds) {

    static TrialAnswer of(TrialRecord trial) {
        return new TrialAnswer(
                TrialReport.of(trial),
                trial.rounds().stream().map(RoundAnswer::of).toList());
    }
}
