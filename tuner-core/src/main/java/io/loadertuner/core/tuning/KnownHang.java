package io.loadertuner.core.tuning;

import io.loadertuner.core.loader.FailureReason;
import io.loadertuner.core.loader.TrialFailure;
import io.loadertuner.core.space.LoaderConfig;

/**
 * A config that hung, or under which the tuner died, in an earlier study of the same dataset on this type of machine: trying
 * it again would cost minutes, or the service.
 *
 * @param study id of that study
 * @param trial number of the trial in it
 */
public record KnownHang(LoaderConfig config, FailureReason reason, String study, int trial) {
    /** In the details of a failure: how often the tuner died under the config. */
    static final String TUNER_DEATHS = "tuner_deaths";

    /** Whether a failure is worth remembering beyond its study: a hang, or the tuner's own death, not a crash of the loader. */
    public static boolean isRemembered(TrialFailure failure) {
        return failure.reason() == FailureReason.TIMED_OUT || failure.details().containsKey(TUNER_DEATHS);
    }

    String describe() {
        return ("%s in trial %d of study %s of this dataset; it is tried again under a new version of the dataset, or after"
                        + " POST /api/v1/studies/%s/trials/%d/retry has worked")
                .formatted(reason.code(), trial, study, study, trial);
    }
}
