package io.loadertuner.service.settings;

import org.flywaydb.core.api.exception.FlywayValidateException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Says that the database is not as this service's own migrations leave it, as where a newer service was there before. */
final class NewerDatabaseAnalyzer extends AbstractFailureAnalyzer<FlywayValidateException> {

    @Override
    protected @Nullable FailureAnalysis analyze(Throwable rootFailure, FlywayValidateException cause) {
        return new FailureAnalysis(
                "The database was migrated by another version of the service, and this one does not know how it is now: "
                        + cause.getMessage(),
                "Start the newer version again, or restore the backup that was made before the upgrade"
                        + " (docs/operating.md).",
                cause);
    }
}
