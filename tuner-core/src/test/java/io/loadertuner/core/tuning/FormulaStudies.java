package io.loadertuner.core.tuning;

import io.loadertuner.core.dataset.DatasetDescriptor;
import io.loadertuner.core.dataset.Source;
import io.loadertuner.core.machine.Machine;
import io.loadertuner.core.space.LoaderConfig;
import io.loadertuner.core.study.Budget;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.NullUnmarked;

/** Studies over a loader that is a formula, so that what they come to is known. */
@NullUnmarked // an unexpected null fails the test where it is met
abstract class FormulaStudies {
    static final String ID = "6f1d0a52-0001-4000-8000-000000000001";
    static final Machine MACHINE = new Machine("host", "cpu", 2, null, 1L << 34, 1L << 33, 1L << 33, List.of());

    final CalculatedLoader loader = new CalculatedLoader(config -> 100.0 * Math.max(1, config.numWorkers()));
    final Tuner tuner = new Tuner(loader, () -> MACHINE, loader);
    final MemoryJournal journal = new MemoryJournal();

    static EarlierStudies thatHung(KnownHang... hung) {
        return new EarlierStudies() {
            @Override
            public List<LoaderConfig> recommended(DatasetDescriptor descriptor, String machineType) {
                return List.of();
            }

            @Override
            public List<KnownHang> hung(DatasetDescriptor descriptor, String machineType) {
                return List.of(hung);
            }
        };
    }

    static StudyRequest request() {
        return request(null);
    }

    static StudyRequest request(String sampler) {
        return new StudyRequest(
                "numbers",
                null,
                null,
                new Source.Synthetic(1000, null, 0, 0, 0),
                null,
                null,
                null,
                new SpaceRequest(
                        new IntegerRange(List.of(0, 1, 2, 3, 4)),
                        null,
                        null,
                        new IntegerRange(List.of(32)),
                        null,
                        null),
                sampler,
                null,
                new Budget(300, null),
                null,
                null);
    }

    static Map<Integer, TrialRecord> byNumber(List<TrialRecord> trials) {
        Map<Integer, TrialRecord> byNumber = new TreeMap<>();
        trials.forEach(trial -> byNumber.put(trial.number(), trial));
        return byNumber;
    }
}
