package io.loadertuner.core.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.loadertuner.core.diagnosis.Finding.Severity;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class FindingsTest {
    private static final long MEBIBYTE = 1L << 20;

    @Test
    void aPauseAndASteadyRateMakeAPass() {
        // The first 100 of 1,000 samples end the pause; the other 900 take 9 s at 100 a second.
        Epoch epoch = Epoch.of(1.0, 1_000, 100, 100);

        assertThat(epoch.samplesPerSecond()).isCloseTo(100.0, within(1e-9));
        assertThat(epoch.finding(100, 1, false)).isEmpty();
        assertThat(Epoch.of(11.0, 1_000, 100, 100).samplesPerSecond()).isCloseTo(50.0, within(1e-9));
    }

    @Test
    void aPauseThatCostsAPassMuchOfItsTimeIsNamedWithItsRemedy() {
        Epoch epoch = Epoch.of(11.0, 1_000, 100, 100);

        Finding kept = epoch.finding(100, 1, false).orElseThrow();
        Finding restarted = epoch.finding(100, 1, true).orElseThrow();

        assertThat(kept.code()).isEqualTo("epoch_gap");
        assertThat(kept.severity()).isEqualTo(Severity.ADVICE);
        assertThat(kept.evidence()).contains("11.00 s", "1000 samples", "50 samples/s", "instead of 100");
        assertThat(kept.remedy()).contains("__iter__");
        assertThat(restarted.remedy()).contains("persistent_workers=True");
    }

    @Test
    void whatWorkersTakeToReadTheirFirstBatchesIsNoPause() {
        // 5 s and 9 s make a pass; a twentieth of it is 0.7 s.
        Epoch epoch = Epoch.of(5.0, 1_000, 100, 100);

        assertThat(epoch.finding(100, 4.2, false)).isPresent();
        assertThat(epoch.finding(100, 4.4, false)).isEmpty();
    }

    @Test
    void copiedMemoryIsCarriedOnToTheEndOfAnEpochAsFarAsThereIsSome() {
        CopyOnWrite slow = new CopyOnWrite(10 * MEBIBYTE, 990 * MEBIBYTE, 100);
        CopyOnWrite nearlyDone = new CopyOnWrite(10 * MEBIBYTE, 5 * MEBIBYTE, 100);

        assertThat(slow.copiedInEpochBytes(1_000)).isEqualTo(100 * MEBIBYTE);
        assertThat(nearlyDone.copiedInEpochBytes(1_000)).isEqualTo(15 * MEBIBYTE);
        Finding finding = slow.finding(2, OptionalLong.of(1_000)).orElseThrow();
        assertThat(finding.code()).isEqualTo("copy_on_write");
        assertThat(finding.severity()).isEqualTo(Severity.WARNING);
        assertThat(finding.evidence())
                .contains("2 workers copied 10 MiB", "100 batches", "0.20 MiB per batch", "200 MiB");
        assertThat(finding.remedy()).contains("NumPy arrays");
        assertThat(slow.finding(2, OptionalLong.empty()).orElseThrow().evidence())
                .doesNotContain("epoch");
        assertThat(new CopyOnWrite(7 * MEBIBYTE, 990 * MEBIBYTE, 100).finding(2, OptionalLong.of(1_000)))
                .isEmpty();
    }

    @Test
    void repeatedRandomNumbersAreNamedOnlyWhereTheyWereSeen() {
        assertThat(RepeatedRandomNumbers.finding(true)).hasValueSatisfying(finding -> {
            assertThat(finding.code()).isEqualTo("repeated_random_numbers");
            assertThat(finding.severity()).isEqualTo(Severity.ADVICE);
        });
        assertThat(RepeatedRandomNumbers.finding(false)).isEmpty();
        assertThat(RepeatedRandomNumbers.finding(null)).isEmpty();
    }

    @Test
    void cpusThatWereTakenAwayAreCounted() {
        assertThat(NarrowedAffinity.finding(8, 1, 1).orElseThrow().evidence()).contains("8 CPUs", "and 1", "may use 1");
        assertThat(NarrowedAffinity.finding(8, 8, 2).orElseThrow().evidence()).contains("a worker may use 2");
        assertThat(NarrowedAffinity.finding(8, 1, null)).isPresent();
        assertThat(NarrowedAffinity.finding(8, 8, 8)).isEmpty();
        assertThat(NarrowedAffinity.finding(8, 8, null)).isEmpty();
    }

    @Test
    void threadsCountWhereTheyAreMoreThanTheCores() {
        assertThat(ThreadsTimesProcesses.finding(4, 8, 8, 16).orElseThrow().evidence())
                .contains("4 workers with 8 threads", "are 32 on 16.0", "OMP_NUM_THREADS is 8");
        assertThat(ThreadsTimesProcesses.finding(4, 4, null, 16)).isEmpty();
        assertThat(ThreadsTimesProcesses.finding(64, 1, null, 16)).isEmpty();
        assertThat(ThreadsTimesProcesses.finding(4, null, null, 1)).isEmpty();
    }

    @Test
    void aFirstPassIsColdWhereAllLaterRoundsAreFaster() {
        assertThat(ColdFirstPass.finding(100, List.of(800.0, 1_000.0, 900.0))
                        .orElseThrow()
                        .evidence())
                .contains("100 samples/s", "3 later rounds", "900");
        assertThat(ColdFirstPass.finding(100, List.of(1_000.0))).isEmpty();
        assertThat(ColdFirstPass.finding(100, List.of(1_000.0, 120.0))).isEmpty();
    }

    @Test
    void aWaitFarBeyondTheUsualIsASlowSampleAndBurstsAreNone() {
        SlowSample slow = new SlowSample(0.01, 0.04, 1.0, 0.08);
        // 32 workers deliver together: one of 32 waits is the whole one, as in every cycle.
        SlowSample burst = new SlowSample(0, 0.001, 0.5, 0.5);

        assertThat(slow.finding(4, true).orElseThrow().evidence()).contains("0.010 s", "0.040 s", "1.000 s");
        assertThat(slow.finding(4, true).orElseThrow().remedy()).contains("in_order=False");
        assertThat(slow.finding(4, false).orElseThrow().remedy()).doesNotContain("in_order");
        assertThat(slow.finding(1, true)).isEmpty();
        assertThat(burst.finding(32, true)).isEmpty();
    }

    @Test
    void whatIsPickledIsToldWithTheStartThatItCosts() {
        assertThat(PickledDataset.finding(64 * MEBIBYTE, 3.4, 2, "spawn")
                        .orElseThrow()
                        .evidence())
                .contains("spawn", "64 MiB", "each of 2", "3.4 s");
        assertThat(PickledDataset.finding(MEBIBYTE, 3.4, 2, "spawn")).isEmpty();
    }

    @Test
    void aPlateauHasASlopeBeforeItAndNoneAfter() {
        Map<Integer, Double> gated = Map.of(0, 50.0, 2, 100.0, 6, 104.0);

        assertThat(Plateau.finding(new TreeMap<>(gated), 2).orElseThrow().evidence())
                .contains("up to 2 workers", "0 gave 50, 2 gave 100, 6 gave 104");
        assertThat(Plateau.finding(new TreeMap<>(Map.of(0, 50.0, 2, 100.0, 6, 300.0)), 2))
                .isEmpty();
        assertThat(Plateau.finding(new TreeMap<>(Map.of(0, 95.0, 2, 100.0, 6, 104.0)), 2))
                .isEmpty();
        assertThat(Plateau.finding(new TreeMap<>(Map.of(0, 50.0, 2, 100.0)), 2)).isEmpty();
    }
}
