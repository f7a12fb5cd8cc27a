package io.loadertuner.service.settings;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Says that another service runs on the same home, which H2's lock on its file shows. */
final class DatabaseInUseAnalyzer extends AbstractFailureAnalyzer<SQLException> {
    private static final String ALREADY_OPEN = "90020";

    @Override
    protected @Nullable FailureAnalysis analyze(Throwable rootFailure, SQLException cause) {
        if (!ALREADY_OPEN.equals(cause.getSQLState())) {
            return null;
        }
        return new FailureAnalysis(
                "Another process uses the service's database: only one service runs on one home.",
                "Stop the other one, or set loader-tuner.home to another folder for this one.",
                cause);
    }
}
