package io.loadertuner.core.wild;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.loadertuner.core.dataset.DatasetDescriptor;
import io.loadertuner.core.dataset.Source;
import io.loadertuner.core.loader.FailureReason;
import io.loadertuner.core.loader.LoaderSession;
import io.loadertuner.core.loader.TrialFailedException;
import io.loadertuner.core.loader.TrialFailure;
import io.loadertuner.core.loader.pytorch.MarkedProcesses;
import io.loadertuner.core.space.LoaderConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What real workers deliver against what is read without them. */
@Execution(ExecutionMode.CONCURRENT)
class TruthIT {
    private static final Duration AMPLE = Duration.ofSeconds(20);
    private static final LoaderConfig ONE = LoaderConfig.of(1, 2, false, 8, true, null);
    private static final LoaderConfig TWO = LoaderConfig.of(2, 2, false, 8, true, null);
    private static final LoaderConfig THREE = LoaderConfig.of(3, 1, false, 2, false, null);
    private static final LoaderConfig SPAWNED = LoaderConfig.of(2, 2, false, 8, true, "spawn");

    @TempDir
    Path folder;

    private final MarkedProcesses processes = new MarkedProcesses();

    @AfterEach
    void nothingIsLeft() {
        assertThat(processes.alive()).isEmpty();
    }

    static Stream<Arguments> sound() {
        return Stream.of(
                Arguments.of("augmented", Map.of("rare", 0.002)),
                Arguments.of("kept_augmentation", Map.of()),
                Arguments.of("stream", Map.of("samples", 5000, "shuffled", true)),
                Arguments.of("stream", Map.of("endless", true)),
                Arguments.of("seeded_stream", Map.of()),
                Arguments.of("self_batched", Map.of()));
    }

    @ParameterizedTest
    @MethodSource("sound")
    void whatIsSoundRaisesNoAlarm(String factory, Map<String, Object> arguments) throws Exception {
        try (LoaderSession session = open(user(factory, arguments))) {
            for (LoaderConfig config : new LoaderConfig[] {ONE, TWO, THREE}) {
                assertThat(session.verify(config, AMPLE)).as(config.describe()).isEmpty();
            }
        }
    }

    @Test
    void whatTheUsersCodeSetsInWorkersAloneIsSaid() throws Exception {
        try (LoaderSession session = open(user("set_in_workers", Map.of()))) {
            assertThat(session.verify(TWO, AMPLE))
                    .hasValueSatisfying(warning -> assertThat(warning)
                            .contains("(differing: sum, worker), but are the same whenever workers read them"));
        }
    }

    @Test
    void theTunersOwnSourcesRaiseNoAlarm() throws Exception {
        makeSources();
        for (Source source : new Source[] {
            new Source.ImageFolder(folder.resolve("images").toString(), 16),
            new Source.TarShards(folder.resolve("shards").toString(), 16)
        }) {
            try (LoaderSession session = open(source)) {
                assertThat(session.verify(TWO, AMPLE)).isEmpty();
                assertThat(session.verify(THREE, AMPLE)).isEmpty();
            }
        }
    }

    @Test
    void aBufferThatIsHandedOutAgainIsSeen() throws Exception {
        try (LoaderSession session = open(user("reused_buffer", Map.of()))) {
            assertThat((int)
                            Objects.requireNonNull(wrong(session, TWO).details().get("wrong_samples")))
                    .isPositive();
        }
    }

    @Test
    void copiesAreCountedByTheirKeysWhereImagesAreRandom() throws Exception {
        try (LoaderSession session = open(user("augmented_stream", Map.of("shards", false)))) {
            assertThat(wrong(session, TWO).details()).containsEntry("doubled_samples", 200L);
        }
    }

    @Test
    void copiesOfWholeBatchesAreSeen() throws Exception {
        try (LoaderSession session = open(user("batches_of_a_stream", Map.of("shards", false)))) {
            assertThat(wrong(session, TWO).message()).contains("every worker yields the same samples");
        }
    }

    @Test
    void whatStartedWorkersDoNotHaveIsSeenUnderThatStartMethodAlone() throws Exception {
        try (LoaderSession session = open(user("scaled_by_a_global", Map.of()))) {
            assertThat(session.verify(TWO, AMPLE)).isEmpty();
            // Sample 0 is the same at any scale.
            assertThat(wrong(session, SPAWNED).details()).containsEntry("wrong_samples", 127);
        }
    }

    private static TrialFailure wrong(LoaderSession session, LoaderConfig config) {
        TrialFailure failure = catchThrowableOfType(TrialFailedException.class, () -> session.verify(config, AMPLE))
                .failure();
        assertThat(failure.reason()).as(failure.message()).isEqualTo(FailureReason.WRONG_DATA);
        return failure;
    }

    private LoaderSession open(Source source) throws Exception {
        DatasetDescriptor descriptor = new DatasetDescriptor("wild", "", DatasetDescriptor.PYTORCH, source, null, 1);
        return WildStudy.loader(processes).open(descriptor, 7);
    }

    private static Source user(String factory, Map<String, Object> arguments) {
        return WildStudy.source("wild_data:" + factory, arguments);
    }

    private void makeSources() throws IOException, InterruptedException {
        Process maker = new ProcessBuilder(
                        WildStudy.PYTHON.toString(),
                        Path.of("src/test/python/user_code/make_sources.py")
                                .toAbsolutePath()
                                .toString(),
                        folder.toString())
                .inheritIO()
                .start();
        assertThat(maker.waitFor()).isZero();
    }
}
