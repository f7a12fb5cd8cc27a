package io.loadertuner.service.study;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.loadertuner.core.tuning.TrialRecord;
import io.loadertuner.core.tuning.TrialReport;
import java.util.ArrayList;
import java.util.List;

/** A trial with its rounds as it is answered. */
record TrialAnswer(@JsonUnwrapped TrialReport trial, List<RoundAnswer> rounds) {

    /**
     * @param arrivalsMicros of each of its rounds, and maybe of newer ones
     */
    static TrialAnswer of(TrialRecord trial, List<List<Long>> arrivalsMicros) {
        List<RoundAnswer> rounds = new ArrayList<>();
        for (int index = 0; index < trial.rounds().size(); index++) {
            rounds.add(RoundAnswer.of(trial.rounds().get(index), arrivalsMicros.get(index)));
        }
        return new TrialAnswer(TrialReport.of(trial), rounds);
    }
}
