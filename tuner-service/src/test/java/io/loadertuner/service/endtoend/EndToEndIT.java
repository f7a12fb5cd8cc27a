package io.loadertuner.service.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import io.loadertuner.service.ServiceProcess;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * Datasets posted to the packaged service over HTTP and measured with the real DataLoader, against truths that are known by
 * construction and at least twofold, where rates decide threefold, apart.
 */
@Tag("rates")
class EndToEndIT {
    @TempDir
    static Path folder;

    private static ServiceProcess service;
    private static TunedStudies studies;

    @BeforeAll
    static void startService() {
        service = ServiceProcess.start(
                folder.resolve("home"),
                "--loader-tuner.data-roots=" + folder,
                "--loader-tuner.code-roots=" + TestPython.USER_CODE);
        studies = new TunedStudies(service);
    }

    @AfterAll
    static void stopService() {
        service.close();
    }

    @Test
    void different_datasets_want_different_workers() {
        JsonNode study = studies.tune("""
                {"name": "sleeping", "source": {"kind": "python", "factory": "known:sleeping",
                 "arguments": {"milliseconds": 20}}, "space": {"num_workers": [0, 1, 8]},
                 "baseline": {"batch_size": 4}, "budget": {"seconds": 30}}""");

        assertThat(study.at("/recommendation/kind").asString()).isEqualTo("faster");
        assertThat(study.at("/recommendation/config/num_workers").asInt()).isEqualTo(8);
        // 8 times as fast by construction; 50 samples a second in one process
        assertThat(study.at("/recommendation/speedup/ratio").asDouble()).isBetween(3.0, 9.0);
        assertThat(study.at("/baseline/throughput/samples_per_second").asDouble())
                .isBetween(15.0, 50.5);
        assertThat(study.at("/bottleneck/verdict").asString()).isEqualTo("wait_bound");

        JsonNode answer = service.calls()
                .get("/api/v1/recommendations?dataset=sleeping&loader=pytorch")
                .body();
        assertThat(answer.get("status").asString()).isEqualTo("exact");
        assertThat(answer.get("config")).isEqualTo(study.at("/recommendation/config"));
        assertThat(answer.get("study")).isEqualTo(study.get("id"));

        JsonNode burning = studies.tune("""
                {"name": "burning", "source": {"kind": "synthetic", "samples": 4000, "cpu_milliseconds": 5},
                 "space": {"num_workers": [0, 2, 8]}, "baseline": {"batch_size": 4}, "budget": {"seconds": 30}}""");

        // More workers than cores burn no faster, and a tie goes to the fewest.
        int cores = Runtime.getRuntime().availableProcessors();
        assertThat(burning.at("/recommendation/config/num_workers").asInt()).isLessThanOrEqualTo(Math.max(2, cores));
        assertThat(burning.at("/explanation").toString()).contains("0 gave", "2 gave", "8 gave");
    }

    @Test
    void data_already_in_memory() {
        JsonNode study = studies.tune("""
                {"name": "in-memory", "source": {"kind": "python", "factory": "known:in_memory"},
                 "space": {"num_workers": [0, 1, 4]}, "baseline": {"batch_size": 64, "num_workers": 4},
                 "budget": {"seconds": 30}}""");

        assertThat(study.at("/recommendation/kind").asString()).isEqualTo("faster");
        assertThat(study.at("/recommendation/config/num_workers").asInt()).isZero();
        assertThat(study.at("/recommendation/config/prefetch_factor").isNull()).isTrue();
        assertThat(study.at("/bottleneck/verdict").asString()).isEqualTo("transfer_bound");
        assertThat(study.at("/bottleneck/text").asString())
                .contains("per-sample work is below the cost of moving it between processes");
    }

    @Test
    void storage_that_serves_two_at_a_time() {
        JsonNode study = studies.tune("""
                {"name": "gated", "source": {"kind": "python", "factory": "known:gated",
                 "arguments": {"milliseconds": 20, "at_a_time": 2}},
                 "space": {"num_workers": [0, 2, 6], "prefetch_factor": [2]},
                 "baseline": {"batch_size": 4}, "budget": {"seconds": 60}}""");

        assertThat(study.at("/recommendation/config/num_workers").asInt()).isEqualTo(2);
        double two = rateWithWorkers(study, 2);
        double six = rateWithWorkers(study, 6);
        // Without the gate six would be three times as fast as two.
        assertThat(six / two).isLessThan(1.7);
        JsonNode plateau = finding(study, "plateau");
        assertThat(plateau.get("severity").asString()).isEqualTo("advice");
        assertThat(plateau.get("evidence").asString()).contains("up to 2 workers and no further");
        assertThat(plateau.get("remedy").asString()).contains("serves about 2 at a time");
    }

    @Test
    void aStepThatIsTheBottleneckIsSaidToBe() {
        JsonNode study = studies.tune("""
                {"name": "stepped", "source": {"kind": "synthetic", "samples": 4000, "sample_milliseconds": 1},
                 "step": {"milliseconds": 100}, "space": {"num_workers": [1, 2, 4], "prefetch_factor": [2]},
                 "baseline": {"batch_size": 8, "num_workers": 4}, "budget": {"seconds": 30}}""");

        assertThat(study.at("/objective").asString()).isEqualTo("with_step");
        assertThat(study.at("/recommendation/kind").asString()).isIn("cheaper", "kept");
        // 8 samples in 100 ms
        assertThat(study.at("/recommendation/throughput/samples_per_second").asDouble())
                .isBetween(40.0, 80.5);
    }

    private static JsonNode finding(JsonNode study, String code) {
        for (JsonNode finding : study.get("findings")) {
            if (finding.get("code").asString().equals(code)) {
                return finding;
            }
        }
        throw new AssertionError("no finding " + code + ": " + study.get("findings"));
    }

    private static double rateWithWorkers(JsonNode study, int workers) {
        return studies.trialWithWorkers(study, workers)
                .at("/throughput/samples_per_second")
                .asDouble();
    }
}
