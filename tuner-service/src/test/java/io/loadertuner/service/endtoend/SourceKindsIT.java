package io.loadertuner.service.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import io.loadertuner.service.ServiceProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Every kind of source, posted to the packaged service and tuned with the real DataLoader; how fast does not matter here. */
class SourceKindsIT {
    @TempDir
    static Path folder;

    private static ServiceProcess service;
    private static TunedStudies studies;

    @BeforeAll
    static void startService() throws Exception {
        TestPython.run("make_sources.py", folder.toString());
        service = ServiceProcess.start(
                folder.resolve("home"),
                "--loader-tuner.measuring-lock=" + folder.resolve("measuring.lock"),
                "--loader-tuner.data-roots=" + folder,
                "--loader-tuner.code-roots=" + TestPython.USER_CODE,
                "--loader-tuner.limits.startup=15s");
        studies = new TunedStudies(service);
    }

    @AfterAll
    static void stopService() {
        service.close();
    }

    @Test
    void anImageFolderIsDecodedCroppedAndTuned() {
        JsonNode study = studies.tune("""
                {"name": "images", "source": {"kind": "image_folder", "path": "images", "image_size": 32},
                 "space": {"num_workers": [0, 1]}, "baseline": {"batch_size": 8}, "budget": {"seconds": 10}}""");

        assertRecommended(study);
        assertThat(study.at("/facts/length").asInt()).isEqualTo(24);
        assertThat(study.at("/facts/sample/0/shape").toString()).isEqualTo("[3,32,32]");
        assertThat(study.at("/facts/sample/0/dtype").asString()).isEqualTo("float32");
    }

    @Test
    void anArrayIsMappedAndTuned() {
        JsonNode study = studies.tune("""
                {"name": "rows", "source": {"kind": "array", "path": "rows.npy"},
                 "space": {"num_workers": [0, 1]}, "baseline": {"batch_size": 8}, "budget": {"seconds": 10}}""");

        assertRecommended(study);
        assertThat(study.at("/facts/length").asInt()).isEqualTo(40);
        // 3 × 8 × 8 float32
        assertThat(study.at("/facts/sample_bytes").asInt()).isEqualTo(768);
        assertThat(study.at("/facts/batch_bytes").asInt()).isEqualTo(8 * 768);
    }

    @Test
    void tarShardsAreReadAndTuned() {
        JsonNode study = studies.tune("""
                {"name": "shards", "source": {"kind": "tar_shards", "path": "shards", "image_size": 32},
                 "space": {"num_workers": [0, 2]}, "baseline": {"batch_size": 4}, "budget": {"seconds": 10}}""");

        assertRecommended(study);
        assertThat(study.at("/facts/kind").asString()).isEqualTo("iterable");
        assertThat(study.at("/facts/batch_samples").asInt()).isEqualTo(4);
    }

    @Test
    void aFactoryThatCannotBeImportedFailsTheStudyAtOnceWithItsName() {
        JsonNode study = studies.post("""
                {"name": "lacking", "source": {"kind": "python", "factory": "lacks_a_package:make"}}""");

        assertThat(study.get("state").asString()).isEqualTo("failed");
        assertThat(study.at("/failure/reason").asString()).isEqualTo("import_error");
        assertThat(study.at("/failure/message").asString()).contains("a_package_that_nobody_has");
        assertThat(study.at("/progress/trials").asInt()).isZero();
        Duration took = Duration.between(
                Instant.parse(study.get("created_at").asString()),
                Instant.parse(study.get("ended_at").asString()));
        assertThat(took).isLessThan(Duration.ofMinutes(1));
    }

    @Test
    void oneConfigThatHangsDoesNotEndTheStudy() {
        // With workers every sample waits for ever; without, all is well.
        JsonNode study = studies.tune("""
                {"name": "hangs-in-workers", "source": {"kind": "python", "factory": "known:hanging_in_workers"},
                 "space": {"num_workers": [0, 2]}, "baseline": {"batch_size": 8}, "budget": {"seconds": 30}}""");

        assertThat(study.at("/recommendation/config/num_workers").asInt()).isZero();
        JsonNode hung = studies.trialWithWorkers(study, 2);
        assertThat(hung.get("state").asString()).isEqualTo("failed");
        assertThat(hung.at("/failure/reason").asString()).isEqualTo("timed_out");
        assertThat(hung.at("/failure/details/stacks").toString()).contains("wait_for_ever");
    }

    private static void assertRecommended(JsonNode study) {
        assertThat(study.get("device").asString()).isIn("cpu", "cuda:0");
        assertThat(study.at("/recommendation/throughput/samples_per_second").asDouble())
                .isPositive();
        assertThat(study.at("/recommendation/kind").asString()).isIn("faster", "kept");
        for (JsonNode trial : studies.trials(study)) {
            assertThat(trial.get("state").asString()).as("%s", trial).isEqualTo("complete");
        }
        assertThat(studies.trials(study).size()).isPositive();
    }
}
