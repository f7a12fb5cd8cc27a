package io.loadertuner.core.tuning;

import io.loadertuner.core.loader.FailureReason;
import io.loadertuner.core.space.LoaderConfig;
import java.util.EnumSet;
import java.util.Set;

/**
 * A config that hung, or under which the tuner died, in an earlier study of the same dataset on this type of machine: trying
 * it again would cost minutes, or the service.
 *
 * @param study id of that study
 * @param trial number of the trial in it
 */
public record KnownHang(LoaderConfig config, FailureReason reason, String study, int trial) {
    private static final Set<FailureReason> REMEMBERED = EnumSet.of(FailureReason.TIMED_OUT, FailureReason.PROBE_LOST);

    /** Whether a failure for that reason is worth remembering beyond its study. */
    public static boolean isRemembered(FailureReason reason) {
        return REMEMBERED.contains(reason);
    }

    String describe() {
        return ("%s in trial %d of study %s of this dataset; it is tried again under a new version of the dataset, or after"
                        + " POST /api/v1/studies/%s/trials/%d/retry has worked")
                .formatted(reason.code(), trial, study, study, trial);
    }
}
