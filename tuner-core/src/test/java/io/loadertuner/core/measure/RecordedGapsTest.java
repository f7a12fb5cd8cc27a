package io.loadertuner.core.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.loadertuner.core.space.LoaderConfig;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The rule on arrivals of the real {@code DataLoader}; {@code window/recorded.py} worked out what it should find. */
class RecordedGapsTest {

    record Trial(
            String name, LoaderConfig config, WindowEdges edges, double batchesPerSecond, List<Long> arrivalsMicros) {
        static Trial of(String line) {
            String[] cells = line.split(",", -1);
            List<Long> arrivals = new ArrayList<>();
            long micros = 0;
            for (String gap : cells[8].split(" ", -1)) {
                micros += 10 * Long.parseLong(gap);
                arrivals.add(micros);
            }
            int workers = Integer.parseInt(cells[2]);
            return new Trial(
                    cells[1] + " " + cells[0],
                    LoaderConfig.of(workers, 2, false, Integer.parseInt(cells[3]), false, null),
                    new WindowEdges(Integer.parseInt(cells[5]), Integer.parseInt(cells[6])),
                    Double.parseDouble(cells[7]),
                    arrivals);
        }

        RoundPlan plan() {
            return RoundPlan.exploring(config);
        }

        /** Logarithm of the rate of a window that is opened by that batch; empty if it does not close. */
        Optional<Double> logRate(int first, int cycle) {
            RoundPlan plan = new RoundPlan(0, 0, plan().windowSeconds(), cycle, 2, 10);
            List<Long> later = arrivalsMicros.subList(first, arrivalsMicros.size());
            return new WindowRule(config, plan)
                    .windowIn(later)
                    .map(edges -> Math.log(edges.over(later, edges.batches()).samplesPerSecond()));
        }

        @Override
        public String toString() {
            return name + ", " + config.describe();
        }
    }

    static Stream<Trial> trials() throws IOException {
        try (InputStream file = RecordedGapsTest.class.getResourceAsStream("/window/recorded.csv")) {
            return new String(file.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .skip(1)
                    .map(Trial::of);
        }
    }

    @ParameterizedTest
    @MethodSource("trials")
    void theWindowOfARecordedTrialIsFound(Trial trial) {
        WindowEdges found = new WindowRule(trial.config, trial.plan())
                .windowIn(trial.arrivalsMicros)
                .orElseThrow();

        assertThat(found).isEqualTo(trial.edges);
        assertThat(found.over(trial.arrivalsMicros, found.batches()).samplesPerSecond())
                .isCloseTo(trial.batchesPerSecond, within(1e-6));
    }

    /** Where a window holds few cycles: beside the rates of whole cycles, those of any second scatter half as much again. */
    @Test
    void windowsOfWholeCyclesScatterLess() throws IOException {
        double aligned = 0;
        double unaligned = 0;
        for (Trial trial : trials().toList()) {
            int cycle = trial.config.cycle();
            if (cycle > 1 && trial.edges.batches() < 10 * cycle) {
                List<Double> whole = new ArrayList<>();
                List<Double> any = new ArrayList<>();
                for (int first = trial.edges.first(); first < trial.arrivalsMicros.size(); first++) {
                    Optional<Double> ofWholeCycles = trial.logRate(first, cycle);
                    Optional<Double> ofAnySecond = trial.logRate(first, 1);
                    if (ofWholeCycles.isPresent() && ofAnySecond.isPresent()) {
                        whole.add(ofWholeCycles.get());
                        any.add(ofAnySecond.get());
                    }
                }
                aligned += variance(whole);
                unaligned += variance(any);
            }
        }

        assertThat(Math.sqrt(unaligned / aligned)).isCloseTo(1.5006, within(1e-3));
    }

    private static double variance(List<Double> values) {
        double mean = values.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
        return values.stream()
                .mapToDouble(value -> (value - mean) * (value - mean))
                .average()
                .orElseThrow();
    }
}
