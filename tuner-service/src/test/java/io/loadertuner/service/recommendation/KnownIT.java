package io.loadertuner.service.recommendation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.loadertuner.core.space.LoaderConfig;
import io.loadertuner.service.InstantLoader;
import io.loadertuner.service.RunningService;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Answers are remembered for no longer than what they rest on stays as it is. */
@Tag("database")
class KnownIT {
    private static final long MILLI = 1_000_000;

    @TempDir
    Path home;

    private RunningService service;

    @BeforeEach
    void start() {
        service = RunningService.start(home, new InstantLoader());
    }

    @AfterEach
    void stop() {
        service.close();
    }

    @Test
    void whatAnotherReplicaStoresCountsWithinASecond() {
        String done = service.post(RunningService.descriptor("known"));
        service.awaitState(done, "completed");
        AtomicLong nanos = new AtomicLong();
        Known known = new Known(service.bean(KnownStore.class), nanos::get);
        long before = known.changes();

        nanos.addAndGet(1_500 * MILLI);
        assertThat(known.changes()).isEqualTo(before);
        // As another replica does it: nobody here is told.
        service.bean(JdbcClient.class).sql("""
                        insert into recommendation (id, dataset, version, loader, machine_type, study_id, recommended, measured_at)
                        select 'another', dataset, version, loader, machine_type, study_id, recommended, measured_at
                        from recommendation
                        """).update();
        nanos.addAndGet(999 * MILLI);
        assertThat(known.changes()).isEqualTo(before);
        nanos.addAndGet(MILLI);
        assertThat(known.changes()).isEqualTo(before + 1);
        nanos.addAndGet(5_000 * MILLI);
        assertThat(known.changes()).isEqualTo(before + 1);
    }

    @Test
    void whatIsStoredHereCountsAtOnce() {
        assertThat(lookUp("at-once")).isEqualTo("default none");
        service.loader().allowRounds(1);
        String id = service.post(RunningService.descriptor("at-once"));
        service.awaitState(id, "running");
        assertThat(lookUp("at-once")).isEqualTo("default running");
        service.loader().allowAll();
        service.awaitState(id, "completed");
        assertThat(lookUp("at-once")).isEqualTo("exact none");
    }

    @Test
    void anAnswerIsRememberedForTenMinutesAndAFailureNotAtAll() {
        AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-12-01T12:00:00Z"));
        RememberedAnswers remembered = new RememberedAnswers(service.bean(Known.class), now::get);
        Query query = new Query("any", "", "pytorch", "any", new Trainer(1, null, null, null, null), null);
        List<Instant> asked = new ArrayList<>();
        Function<Query, RecommendationAnswer> lookUp = of -> {
            asked.add(now.get());
            if (asked.size() == 1) {
                throw new IllegalStateException("the first one fails");
            }
            return RecommendationAnswer.unmeasured(
                    "", LoaderConfig.of(0, 2, false, 1, false, null), "any", RecommendationAnswer.Tuning.NONE);
        };

        assertThatThrownBy(() -> remembered.of(query, lookUp)).hasMessage("the first one fails");
        remembered.of(query, lookUp);
        now.set(Instant.parse("2026-12-01T12:09:59Z"));
        remembered.of(query, lookUp);
        now.set(Instant.parse("2026-12-01T12:10:00Z"));
        remembered.of(query, lookUp);

        assertThat(asked)
                .containsExactly(
                        Instant.parse("2026-12-01T12:00:00Z"),
                        Instant.parse("2026-12-01T12:00:00Z"),
                        Instant.parse("2026-12-01T12:10:00Z"));
    }

    private String lookUp(String dataset) {
        var answer = service.calls().get("/api/v1/recommendations?dataset=" + dataset);
        return answer.text("status") + " " + answer.text("tuning");
    }
}
