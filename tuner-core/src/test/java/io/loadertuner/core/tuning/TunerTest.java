package io.loadertuner.core.tuning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.loadertuner.core.diagnosis.Bottleneck;
import io.loadertuner.core.json.TunerJson;
import io.loadertuner.core.loader.FailureReason;
import io.loadertuner.core.loader.ProcessLog;
import io.loadertuner.core.loader.TrialFailure;
import io.loadertuner.core.machine.Machine;
import io.loadertuner.core.space.LoaderConfig;
import io.loadertuner.core.study.Recommendation.Kind;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Studies from their beginning to their end, and after a restart. */
@NullUnmarked // an unexpected null fails the test where it is met
class TunerTest extends FormulaStudies {

    @Test
    void aStudyEndsWithWhatIsFasterAndItsEvidence() throws Exception {
        StudyReport report = tuner.run(ID, request(), journal, TuningListener.NONE);

        assertThat(report.state()).isEqualTo(StudyState.COMPLETED);
        assertThat(report.recommendation().kind()).isEqualTo(Kind.FASTER);
        assertThat(report.recommendation().config().numWorkers()).isEqualTo(4);
        assertThat(report.recommendation().speedup().ratio()).isCloseTo(4.0, within(1e-9));
        assertThat(report.recommendation().throughput().samplesPerSecond()).isCloseTo(400.0, within(1e-9));
        assertThat(report.baseline().throughput().samplesPerSecond()).isCloseTo(100.0, within(1e-9));
        assertThat(report.objective()).isEqualTo("loader_only");
        assertThat(report.device()).isEqualTo("cpu");
        assertThat(journal.trials())
                .isNotEmpty()
                .allSatisfy(trial -> assertThat(
                                TrialReport.of(trial, journal.preparation()).device())
                        .isEqualTo("cpu"));
        assertThat(report.tieSet()).contains(report.recommendation().trial());
        assertThat(report.notes()).anyMatch(note -> note.contains("pin_memory was not varied"));
        assertThat(journal.report()).contains(report);
        assertThat(loader.openSessions).isZero();
    }

    @Test
    void aStudyKilledAtAnyMomentGoesOnWithoutLosingOrRepeatingARound() throws Exception {
        StudyReport undisturbed = tuner.run(ID, request(), journal, TuningListener.NONE);
        int roundsNeeded = loader.measured.size();

        int deaths = 0;
        for (int writes = 1; ; writes++) {
            MemoryJournal kept = new MemoryJournal();
            CalculatedLoader fresh = new CalculatedLoader(config -> 100.0 * Math.max(1, config.numWorkers()));
            Tuner again = new Tuner(fresh, () -> MACHINE, fresh);
            try {
                again.run(ID, request(), new DyingJournal(kept, writes, writes % 2 == 0), TuningListener.NONE);
                break;
            } catch (DyingJournal.Killed killed) {
                deaths++;
            }
            Map<Integer, TrialRecord> before = byNumber(kept.trials());

            StudyReport resumed = again.run(ID, request(), kept, TuningListener.NONE);

            assertThat(resumed.recommendation().config())
                    .isEqualTo(undisturbed.recommendation().config());
            byNumber(kept.trials()).forEach((number, trial) -> {
                Set<String> blocks = new HashSet<>();
                trial.rounds()
                        .forEach(round -> assertThat(blocks.add(round.phase() + "-" + round.round()))
                                .isTrue());
                if (before.containsKey(number)) {
                    List<RoundRecord> stored = before.get(number).rounds();
                    assertThat(trial.rounds().subList(0, stored.size())).isEqualTo(stored);
                }
            });
            // At most the round that was open is measured again.
            assertThat(fresh.measured.size()).isLessThanOrEqualTo(roundsNeeded + 1);
        }
        assertThat(deaths).isGreaterThan(roundsNeeded);
    }

    @Test
    void aStudyOfAKnownDatasetTriesWhatWasRecommendedBeforeFirst() throws Exception {
        LoaderConfig known = LoaderConfig.of(3, 2, false, 32, true, null);
        Tuner knowing = new Tuner(loader, () -> MACHINE, loader, (descriptor, machineType) -> List.of(known));

        StudyReport report = knowing.run(ID, request(), journal, TuningListener.NONE);

        // Three rounds of the baseline, then 0 workers and the start of the ladder in random order.
        assertThat(loader.measured.subList(3, 5)).contains(known);
        assertThat(journal.preparation().orElseThrow().warmStart()).containsExactly(known);
        assertThat(report.recommendation().config().numWorkers()).isEqualTo(4);
    }

    @Test
    void aTrialKeepsWhatWasPrintedSinceTheOneBefore() throws Exception {
        Map<Integer, String> printed = new TreeMap<>();
        MemoryJournal keeping = new MemoryJournal();
        Journal listening = new DyingJournal(keeping, Integer.MAX_VALUE, true) {
            @Override
            public void printed(int number, ProcessLog log) {
                printed.merge(number, log.text(), String::concat);
            }
        };
        LoaderConfig two = LoaderConfig.of(2, 2, false, 32, true, null);
        loader.failures.put(two, TrialFailure.of(FailureReason.WORKER_CRASHED, "killed"));
        loader.prints = true;

        tuner.run(ID, request(), listening, TuningListener.NONE);

        assertThat(printed.get(1)).startsWith("built; 0 workers, batch 32; 0 workers, batch 32; ");
        TrialRecord failed = keeping.trials().stream()
                .filter(trial -> trial.config().equals(two))
                .findFirst()
                .orElseThrow();
        assertThat(printed.get(failed.number())).isEqualTo("2 workers, prefetch 2, batch 32; ");
    }

    @Test
    void aDisturbedRoundIsRepeatedAtMostTwiceAndThenSaidToBeDisturbed() throws Exception {
        // The machine has 2 usable cores: 0.12 of them may be used by others.
        loader.foreignCores.put(1, 0.13);
        loader.foreignCores.put(3, 0.11);
        for (int call = 4; call <= 6; call++) {
            loader.foreignCores.put(call, 0.5);
        }

        StudyReport report = tuner.run(ID, request(), journal, TuningListener.NONE);

        List<RoundRecord> baseline = journal.trials().get(0).rounds();
        assertThat(baseline.get(0).rejected()).isEqualTo(1);
        assertThat(baseline.get(0).busy()).isFalse();
        assertThat(baseline.get(1).rejected()).isZero();
        assertThat(baseline.get(2).rejected()).isEqualTo(2);
        assertThat(baseline.get(2).busy()).isTrue();
        assertThat(report.rejectedRounds()).isEqualTo(3);
        assertThat(report.notes()).anyMatch(note -> note.contains("the machine is busy"));
    }

    @Test
    void onAMachineThatIsAlwaysBusyRepeatsTakeATenthOfTheBudgetAtMost() throws Exception {
        for (int call = 1; call < 1000; call++) {
            loader.foreignCores.put(call, 1.0);
        }

        StudyReport report = tuner.run(ID, request(), journal, TuningListener.NONE);

        // A tenth of 300 s are 15 rounds of 2 s.
        assertThat(report.rejectedRounds()).isEqualTo(15);
        assertThat(report.recommendation().config().numWorkers()).isEqualTo(4);
    }

    @Test
    void whereAQuotaGivesFewerCoresThanThereAreNoRoundIsRejectedForWhatOthersUse() throws Exception {
        for (int call = 1; call < 1000; call++) {
            loader.foreignCores.put(call, 1.0);
        }
        Machine throttled = new Machine("host", "cpu", 4, 2.0, 1L << 34, 1L << 33, 1L << 33, List.of());

        StudyReport report =
                new Tuner(loader, () -> throttled, loader).run(ID, request(), journal, TuningListener.NONE);

        assertThat(report.rejectedRounds()).isZero();
    }

    @Test
    void theBottleneckAtAnotherBatchSizeIsJudgedByTheStepAtThatBatchSize() throws Exception {
        // The step takes in 500 a second at batch 8, where it was measured, and 640 at batch 64: there 495 do not feed
        // it.
        CalculatedLoader byBatch = new CalculatedLoader(config -> config.batchSize() == 64 ? 495 : 60);
        StudyRequest request = TunerJson.mapper().readValue("""
                        {"name": "a", "source": {"kind": "synthetic", "samples": 1000}, "step": {"milliseconds": 100},
                         "space": {"num_workers": [0, 1], "prefetch_factor": [2], "batch_size": [8, 64]},
                         "baseline": {"batch_size": 8}}""", StudyRequest.class);

        StudyReport report = new Tuner(byBatch, () -> MACHINE, byBatch).run(ID, request, journal, TuningListener.NONE);

        assertThat(report.recommendation().config().batchSize()).isEqualTo(64);
        assertThat(report.bottleneck().verdict()).isNotEqualTo(Bottleneck.Verdict.STEP_BOUND);
    }

    @Test
    void anInterruptLeavesNoOpenRoundAndNoSession() {
        TuningListener cancelling = new TuningListener() {
            @Override
            public void roundEnded(TrialReport trial, StudyReport study) {
                if (study.progress().trials() >= 2) {
                    Thread.currentThread().interrupt();
                }
            }
        };
        CalculatedLoader interruptible = new CalculatedLoader(config -> {
            if (Thread.currentThread().isInterrupted()) {
                throw new IllegalStateException("measured although interrupted");
            }
            return 100;
        });

        assertThatThrownBy(() ->
                        new Tuner(interruptible, () -> MACHINE, interruptible).run(ID, request(), journal, cancelling))
                .isInstanceOf(InterruptedException.class);

        assertThat(journal.trials()).hasSize(2).allMatch(trial -> trial.openAttempts() == 0);
        assertThat(interruptible.openSessions).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"one_at_a_time", "genetic", "random", "grid"})
    void whicheverSamplerSearchesAStudyThatWasCutOffGoesOn(String sampler) throws Exception {
        StudyReport undisturbed = tuner.run(ID, request(sampler), journal, TuningListener.NONE);
        MemoryJournal kept = new MemoryJournal();
        CalculatedLoader fresh = new CalculatedLoader(config -> 100.0 * Math.max(1, config.numWorkers()));
        Tuner again = new Tuner(fresh, () -> MACHINE, fresh);

        for (int writes : new int[] {9, 14, 25}) {
            try {
                again.run(ID, request(sampler), new DyingJournal(kept, writes, true), TuningListener.NONE);
            } catch (DyingJournal.Killed killed) {
                assertThat(kept.trials()).isNotEmpty();
            }
        }
        StudyReport resumed = again.run(ID, request(sampler), kept, TuningListener.NONE);

        assertThat(undisturbed.recommendation().config().numWorkers()).isEqualTo(4);
        assertThat(resumed.recommendation().config())
                .isEqualTo(undisturbed.recommendation().config());
    }
}
