package io.loadertuner.service.study;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.loadertuner.core.tuning.Preparation;
import io.loadertuner.core.tuning.TrialRecord;
import io.loadertuner.core.tuning.TrialReport;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A trial with its rounds and retries as it is answered. */
record TrialAnswer(@JsonUnwrapped TrialReport trial, List<RoundAnswer> rounds, List<RetryAnswer> retries) {

    /**
     * @param preparation of its study
     * @param arrivalsMicros of each of its rounds, and maybe of newer ones
     */
    static TrialAnswer of(
            TrialRecord trial,
            Optional<Preparation> preparation,
            List<List<Long>> arrivalsMicros,
            List<Retry> retries) {
        List<RoundAnswer> rounds = new ArrayList<>();
        for (int index = 0; index < trial.rounds().size(); index++) {
            rounds.add(RoundAnswer.of(trial.rounds().get(index), arrivalsMicros.get(index)));
        }
        return new TrialAnswer(
                TrialReport.of(trial, preparation),
                rounds,
                retries.stream()
                        .map(retry -> RetryAnswer.of(retry, trial, preparation))
                        .toList());
    }
}
