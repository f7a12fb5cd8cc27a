package io.loadertuner.core.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.loadertuner.core.measure.Movement;
import io.loadertuner.core.measure.Throughput;
import io.loadertuner.core.measure.Visit;
import io.loadertuner.core.space.LoaderConfig;
import io.loadertuner.core.study.Ask;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** How often a canary calls on a replayed machine: where nothing has changed, and where the data have. */
class CanaryAlarmsTest {
    private static final int RUNS = 100;
    private static final int VISITS = 6;
    private static final int ROUNDS = 4;
    private static final LoaderConfig INCUMBENT = LoaderConfig.of(2, 2, false, 64, true, null);
    private static final LoaderConfig BASELINE = LoaderConfig.of(0, 2, false, 64, true, null);

    private static RecordedSurface surface(double incumbent, double baseline) {
        return RecordedSurface.read(
                List.of(
                        "dataset,num_workers,prefetch_factor,batch_size,samples_per_second,trial_overhead_seconds",
                        "d,2,2,64," + incumbent + ",0.4",
                        "d,0,0,64," + baseline + ",0.1"),
                "d");
    }

    private static Visit visit(RecordedSurface surface, NoiseProfile noise, long seed) {
        ReplayedMachine machine = new ReplayedMachine(surface, noise, seed);
        List<Double> incumbent = new ArrayList<>();
        List<Double> baseline = new ArrayList<>();
        for (int round = 1; round <= ROUNDS; round++) {
            incumbent.add(machine.measure(Ask.repeat(INCUMBENT, round)).samplesPerSecond());
            baseline.add(machine.measure(Ask.repeat(BASELINE, round)).samplesPerSecond());
        }
        return new Visit(Throughput.median(incumbent), Throughput.median(baseline));
    }

    /** In how many runs the visit after some like it is beyond noise. */
    private static long alarms(NoiseProfile noise, int earlierVisits, RecordedSurface now) {
        RecordedSurface before = surface(900, 400);
        return IntStream.range(0, RUNS)
                .filter(run -> {
                    List<Visit> earlier = IntStream.range(0, earlierVisits)
                            .mapToObj(number -> visit(before, noise, 1_000L * run + number))
                            .toList();
                    return Movement.of(earlier, visit(now, noise, 1_000L * run + 999))
                            .goesBeyondNoise();
                })
                .count();
    }

    @Test
    void itIsSilentOnNoise() {
        RecordedSurface same = surface(900, 400);
        for (NoiseProfile noise : List.of(NoiseProfile.SHARED, NoiseProfile.QUIET)) {
            for (int earlier = 1; earlier <= VISITS; earlier++) {
                long alarms = alarms(noise, earlier, same);
                assertThat(alarms).as("after %d visits with %s", earlier, noise).isLessThanOrEqualTo(5);
            }
        }
    }

    @Test
    void itCallsWhereLoadingHasBecomeThreeTimesAsSlow() {
        assertThat(alarms(NoiseProfile.SHARED, 1, surface(300, 133))).isGreaterThanOrEqualTo(95);
    }

    @Test
    void afterAFewVisitsItCallsAtHalfTheRateAndOnAQuietMachineAtSeventyPercent() {
        assertThat(alarms(NoiseProfile.SHARED, VISITS, surface(450, 200))).isGreaterThanOrEqualTo(95);
        assertThat(alarms(NoiseProfile.QUIET, VISITS, surface(630, 280))).isGreaterThanOrEqualTo(95);
    }

    @Test
    void itCallsWhereOnlyTheConfigInUseHasLost() {
        assertThat(alarms(NoiseProfile.SHARED, 1, surface(400, 400))).isGreaterThanOrEqualTo(95);
    }
}
