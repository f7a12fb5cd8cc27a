package io.loadertuner.service.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.loadertuner.service.InstantLoader;
import io.loadertuner.service.RunningService;
import java.nio.file.Path;
import java.util.Objects;
import org.flywaydb.core.api.exception.FlywayValidateException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.jdbc.core.simple.JdbcClient;

/** An older version of the service on a database that a newer one has migrated. */
class NewerDatabaseIT {
    @TempDir
    Path home;

    @Test
    void aServiceDoesNotStartWhereANewerOneWas() {
        try (RunningService newer = RunningService.start(home, new InstantLoader())) {
            int noted = newer.bean(JdbcClient.class).sql("""
                            insert into "flyway_schema_history" ("installed_rank", "version", "description", "type", "script",
                                                                 "checksum", "installed_by", "execution_time", "success")
                            values (1000, '1000', 'later', 'SQL', 'V1000__later.sql', 1, 'sa', 1, true)
                            """).update();
            assertThat(noted).isEqualTo(1);
        }

        assertThatThrownBy(() -> RunningService.start(home, new InstantLoader()))
                .satisfies(refused -> {
                    FailureAnalysis analysis = Objects.requireNonNull(new NewerDatabaseAnalyzer().analyze(refused));
                    assertThat(analysis.getCause()).isInstanceOf(FlywayValidateException.class);
                    assertThat(analysis.getDescription()).contains("migrated by another version");
                    assertThat(analysis.getAction()).contains("restore the backup");
                });
    }
}
