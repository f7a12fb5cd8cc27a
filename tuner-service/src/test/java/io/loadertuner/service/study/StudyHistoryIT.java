package io.loadertuner.service.study;

import static org.assertj.core.api.Assertions.assertThat;

import io.loadertuner.core.tuning.StudyReport;
import io.loadertuner.core.tuning.StudyRequest;
import io.loadertuner.core.tuning.StudyState;
import io.loadertuner.service.InstantLoader;
import io.loadertuner.service.RunningService;
import io.loadertuner.service.store.JsonText;
import io.loadertuner.service.study.HistoryQuery.Order;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Studies as people look for them. */
@Tag("database")
class StudyHistoryIT {
    private static final Instant NOW = Instant.parse("2026-11-30T12:34:56.789012Z");

    @TempDir
    static Path home;

    private static RunningService service;
    private static StudyStore studies;
    private static StudyHistory history;

    @BeforeAll
    static void start() {
        service = RunningService.start(home, new InstantLoader());
        studies = service.bean(StudyStore.class);
        history = service.bean(StudyHistory.class);
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    @Test
    void studiesAreFoundByPartsOfTheirNamesInAnyCase() {
        add("Street-Views", "rack-7", null);
        add("street-signs", "rack-8", "vision team");

        assertThat(datasets("STREET", Order.OLDEST)).containsExactly("Street-Views", "street-signs");
        assertThat(datasets("Rack-8", Order.NEWEST)).containsExactly("street-signs");
        assertThat(datasets("vision", Order.NEWEST)).containsExactly("street-signs");
        // What stands for anything in SQL stands for itself here.
        assertThat(datasets("%", Order.NEWEST)).isEmpty();
        assertThat(datasets("s_re", Order.NEWEST)).isEmpty();
        assertThat(history.count(query("street", Order.NEWEST, 1))).isEqualTo(2);
        assertThat(history.count(new HistoryQuery("street", StudyState.FAILED, Order.NEWEST, 1)))
                .isZero();
    }

    @Test
    void aPageOfTheListHasTwentyFive() {
        for (int number = 10; number < 40; number++) {
            add("paged-" + number, "elsewhere", null);
        }

        assertThat(datasets("paged", Order.DATASET))
                .hasSize(25)
                .startsWith("paged-10", "paged-11")
                .endsWith("paged-34");
        assertThat(history.list(query("paged", Order.DATASET, 2)))
                .extracting(ShownStudy::dataset)
                .containsExactly("paged-35", "paged-36", "paged-37", "paged-38", "paged-39");
        assertThat(history.list(query("paged", Order.DATASET, 3))).isEmpty();
    }

    @Test
    void whatGainedMostComesFirstAndWhatHasNoGainLast() {
        // Two workers deliver three times what none do, and one and a half times what one does.
        add("gain-none", "elsewhere", null);
        done("gain-large", 0);
        done("gain-small", 1);

        assertThat(datasets("gain", Order.NEWEST)).containsExactly("gain-small", "gain-large", "gain-none");
        assertThat(datasets("gain", Order.GAIN)).containsExactly("gain-large", "gain-small", "gain-none");
        assertThat(datasets("gain", Order.THROUGHPUT)).endsWith("gain-none").hasSize(3);
    }

    @Test
    void theNameOfWhoeverAskedIsKept() {
        String id = add("asked", "elsewhere", "somebody");

        assertThat(history.find(id).askedBy()).isEqualTo("somebody");
        assertThat(history.find(add("not-asked", "elsewhere", null)).askedBy()).isNull();
    }

    private static void done(String name, int baselineWorkers) {
        String described = RunningService.descriptor(name).strip();
        String baseline = ", \"baseline\": {\"num_workers\": " + baselineWorkers + ", \"batch_size\": 32}}";
        service.awaitState(service.post(described.substring(0, described.length() - 1) + baseline), "completed");
    }

    private static List<String> datasets(String text, Order order) {
        return history.list(query(text, order, 1)).stream()
                .map(ShownStudy::dataset)
                .toList();
    }

    private static HistoryQuery query(String text, Order order, int page) {
        return new HistoryQuery(text, null, order, page);
    }

    private static String add(String name, String machineType, @Nullable String askedBy) {
        String id = UUID.randomUUID().toString();
        StudyRequest request = JsonText.read(RunningService.descriptor(name), StudyRequest.class)
                .withMachineType(machineType);
        studies.add(request, StudyReport.queued(id, request, "cpu"), null, askedBy, NOW);
        return id;
    }
}
