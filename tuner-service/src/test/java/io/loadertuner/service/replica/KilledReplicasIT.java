package io.loadertuner.service.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.loadertuner.service.RunningService;
import io.loadertuner.service.ServiceCalls;
import io.loadertuner.service.TestDatabase;
import io.loadertuner.service.replica.InstantService.Running;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Services in processes of their own on one PostgreSQL, which are killed and stopped with real signals. */
class KilledReplicasIT {
    private static final Duration LONG = Duration.ofMinutes(4);
    private static final int STUDIES = 200;
    private static final int KILLS = 4;

    private final List<Running> services = new ArrayList<>();

    @TempDir
    Path folder;

    private OneDatabase database;

    @BeforeEach
    void connect() {
        database = new OneDatabase(TestDatabase.postgresql(folder));
    }

    @AfterEach
    void stop() {
        services.forEach(Running::close);
    }

    private Running start(long millisBeforeRounds) {
        Running service = InstantService.start(folder, millisBeforeRounds, TestDatabase.postgresql(folder));
        services.add(service);
        return service;
    }

    private static String post(Running service, String name) {
        return service.calls()
                .post("/api/v1/studies", RunningService.descriptor(name))
                .text("id");
    }

    @Test
    void ofTwoHundredStudiesNoneIsLostAndNoneRunsTwice() throws Exception {
        Running kept = start(2);
        Running victim = start(2);
        ServiceCalls calls = kept.calls();
        for (int number = 0; number < STUDIES; number++) {
            post(number % 2 == 0 ? kept : victim, "study-" + number);
        }

        for (int kill = 1; kill <= KILLS; kill++) {
            int ended = kill * STUDIES / (KILLS + 2);
            await().atMost(LONG)
                    .until(() -> database.count("select count(*) from study where ended_at is not null") >= ended);
            victim.signal("KILL");
            victim = start(2);
        }
        await().atMost(LONG)
                .until(() -> database.count("select count(*) from study where ended_at is not null") == STUDIES);

        assertThat(calls.get("/api/v1/studies?limit=1").status()).isEqualTo(200);
        assertThat(database.column("select state from study")).hasSize(STUDIES).containsOnly("completed");
        assertThat(database.column("select study_id from study_event where kind = 'study_finished'"))
                .hasSize(STUDIES)
                .doesNotHaveDuplicates();
        assertThat(database.column("select study_id from recommendation"))
                .hasSize(STUDIES)
                .doesNotHaveDuplicates();
        assertThat(database.column("select study_id || '/' || config from trial"))
                .doesNotHaveDuplicates();
        Map<String, Integer> begun = lines("StudyTurn: Study (\\S+) of \\S+ begins");
        assertThat(begun.values()).containsOnly(1);
        // A kill may come between a beginning and its line in the log.
        assertThat(begun.size()).isBetween(STUDIES - KILLS, STUDIES);
        assertThat(lines("StudyTurn: Study (\\S+) of \\S+ goes on").values().stream()
                        .mapToInt(Integer::intValue)
                        .sum())
                .isLessThanOrEqualTo(KILLS);
    }

    /** How often the logs have such a line of each study. */
    private Map<String, Integer> lines(String pattern) {
        Map<String, Integer> counts = new LinkedHashMap<>();
        for (Running service : services) {
            Matcher line = Pattern.compile(pattern).matcher(service.log());
            while (line.find()) {
                counts.merge(line.group(1), 1, Integer::sum);
            }
        }
        return counts;
    }

    @Test
    void aServiceThatStandsStillLosesItsStudyAndWritesNoMoreOfIt() throws Exception {
        Running still = start(300);
        String id = post(still, "stands-still");
        await().atMost(LONG).until(() -> database.count("select count(*) from round") >= 2);

        still.signal("STOP");
        Running other = start(0);
        other.calls().awaitState(id, "completed", LONG);
        List<String> rounds = database.column("select record from round order by trial_number, ordinal");
        still.signal("CONT");

        await().atMost(LONG).until(() -> still.log().contains("another service goes on with it"));
        assertThat(database.column("select record from round order by trial_number, ordinal"))
                .isEqualTo(rounds);
        assertThat(database.column("select kind from study_event where kind = 'study_finished'"))
                .hasSize(1);
        String next = post(still, "goes-on");
        still.calls().awaitState(next, "completed", LONG);
    }
}
