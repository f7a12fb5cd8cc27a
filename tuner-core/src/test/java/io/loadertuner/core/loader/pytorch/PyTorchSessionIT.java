package io.loadertuner.core.loader.pytorch;

import static org.assertj.core.api.Assertions.assertThat;

import io.loadertuner.core.dataset.Source;
import io.loadertuner.core.dataset.TrainingStep;
import io.loadertuner.core.loader.LoaderFacts;
import io.loadertuner.core.loader.LoaderSession;
import io.loadertuner.core.loader.RoundMeasurement;
import io.loadertuner.core.space.LoaderConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** What a session measures, and what it keeps apart, through the same calls as the tuner makes. */
@Execution(ExecutionMode.CONCURRENT)
class PyTorchSessionIT extends SessionTests {

    @Test
    void aRoundIsAlignedToItsWorkersAndKnowsWhatItCost() throws Exception {
        try (LoaderSession session = open("known:sleeping", Map.of("milliseconds", 2))) {
            LoaderFacts facts = session.check(8);
            RoundMeasurement round =
                    session.measure(TWO_WORKERS, SHORT_WITH_TWO, false).measurement();

            assertThat(facts.device()).isEqualTo("cpu");
            assertThat(facts.length()).isEqualTo(4096);
            assertThat(facts.sampleBytes()).isEqualTo(4 * Float.BYTES);
            assertThat(facts.batchBytes()).isEqualTo(8 * 4 * Float.BYTES);
            assertThat(round.window().isAlignedTo(2)).isTrue();
            assertThat(round.window().samples())
                    .isEqualTo(8L * (round.window().last() - round.window().first()));
            // Two workers that sleep 2 ms a sample cannot deliver more than 1,000 samples a second.
            assertThat(round.window().samplesPerSecond()).isPositive().isLessThan(1_100);
            assertThat(round.memoryBytes()).isGreaterThan(50L << 20);
            assertThat(round.startMethod()).isEqualTo("fork");
            assertThat(round.shutdownSeconds()).isNotNull();
            assertThat(round.warning()).isNull();
        }
    }

    @Test
    void aStepIsPartOfWhatIsMeasured() throws Exception {
        TrainingStep step = new TrainingStep(20.0, null, null);
        try (LoaderSession session = open(python("known:in_memory", Map.of()), step)) {
            double alone = session.stepAlone(NO_WORKERS);
            double with = session.measure(NO_WORKERS, SHORT_WITHOUT_WORKERS, true)
                    .measurement()
                    .window()
                    .samplesPerSecond();
            double without = session.measure(NO_WORKERS, SHORT_WITHOUT_WORKERS, false)
                    .measurement()
                    .window()
                    .samplesPerSecond();

            // 8 samples in at least 20 ms are at most 400 a second; without the step it is tens of thousands.
            assertThat(alone).isPositive().isLessThan(400);
            assertThat(with).isPositive().isLessThan(400);
            assertThat(without).isGreaterThan(2 * with);
        }
    }

    @Test
    void aStepOfTheUsersOwnIsFoundForAnySource() throws Exception {
        TrainingStep step = new TrainingStep(null, "wild:step", Map.of("milliseconds", 20));
        try (LoaderSession session = open(new Source.Synthetic(1000, null, 0, 0, 0), step)) {
            // 8 samples in at least 20 ms are at most 400 a second.
            assertThat(session.stepAlone(NO_WORKERS)).isPositive().isLessThan(400);
        }
    }

    @Test
    void aStartMethodIsAMatterOfWorkers() throws Exception {
        LoaderConfig spawned = LoaderConfig.of(2, 2, false, 8, true, "spawn");
        LoaderConfig alone = LoaderConfig.of(0, 2, false, 8, true, "spawn");
        try (LoaderSession session = open(new Source.Synthetic(1000, null, 1, 0, 0), null)) {
            assertThat(session.measure(spawned, SHORT_WITH_TWO, false)
                            .measurement()
                            .startMethod())
                    .isEqualTo("spawn");
            assertThat(session.measure(alone, SHORT_WITHOUT_WORKERS, false)
                            .measurement()
                            .window()
                            .samples())
                    .isPositive();
        }
    }

    @Test
    void whatUserCodePrintsNeverReachesTheProtocol() throws Exception {
        Path script = Files.writeString(folder.resolve("script"), "prints");
        try (LoaderSession session = open("wild:wild", Map.of("script", script.toString()))) {
            assertThat(session.measure(NO_WORKERS, SHORT_WITHOUT_WORKERS, false)
                            .measurement()
                            .window()
                            .samples())
                    .isPositive();
            assertThat(session.measure(TWO_WORKERS, SHORT_WITH_TWO, false)
                            .measurement()
                            .window()
                            .samples())
                    .isPositive();
        }
    }

    @Test
    void theWarmProcessNeverOpensWhatSamplesOpenLazily() throws Exception {
        Path database = folder.resolve("samples.sqlite");
        run(
                PYTHON.toString(),
                "-c",
                "import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.execute('create table samples (id integer primary key, value real)'); c.executemany('insert into samples values (?, ?)', [(i, i / 2) for i in range(32)]); c.commit()",
                database.toString());
        Path notes = Files.createDirectory(folder.resolve("notes"));
        try (LoaderSession session =
                open("wild:rows", Map.of("path", database.toString(), "notes", notes.toString()))) {
            session.check(8);
            session.measure(NO_WORKERS, SHORT_WITHOUT_WORKERS, false);
            List<Long> withoutWorkers = pidsNotedIn(notes);
            session.measure(TWO_WORKERS, SHORT_WITH_TWO, false);

            // One process read samples itself. The two others that did are workers, gone by now, and not the process
            // that forked them, which lives on.
            assertThat(withoutWorkers).hasSize(1);
            assertThat(pidsNotedIn(notes)).hasSize(3);
            assertThat(pidsNotedIn(notes).stream().filter(pid -> isAlive(pid)).toList())
                    .isEqualTo(withoutWorkers);
        }
    }

    private static boolean isAlive(long pid) {
        return ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isPresent();
    }
}
