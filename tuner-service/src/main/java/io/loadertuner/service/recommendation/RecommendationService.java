package io.loadertuner.service.recommendation;

import io.loadertuner.core.dataset.DatasetDescriptor;
import io.loadertuner.core.machine.Machine;
import io.loadertuner.core.tuning.StudyState;
import io.loadertuner.service.machine.MachineTypeStore;
import io.loadertuner.service.machine.ThisMachine;
import io.loadertuner.service.recommendation.RecommendationAnswer.Status;
import io.loadertuner.service.recommendation.RecommendationAnswer.Tuning;
import io.loadertuner.service.settings.TunerProperties;
import io.loadertuner.service.study.StudyStore;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Service;

/** Finds the best known config, and always has an answer: nobody's training is to wait for this service. */
@Service
class RecommendationService {
    private static final Logger log = LoggerFactory.getLogger(RecommendationService.class);
    private static final String STAND_IN = " The machine type is not known here, so this machine stands in for it.";
    private static final String CAUTIOUS_START = " This is a cautious start: one worker for each usable core and GiB of"
            + " memory, shared among the ranks, at most 8, PyTorch's own prefetch"
            + " factor, and pinned memory only with a GPU.";
    private static final String UNREADABLE = "What was measured cannot be read at the moment.";
    private static final String NOTHING_MEASURED = "Nothing was measured for this dataset with this loader.";

    private final RecommendationStore recommendations;
    private final StudyStore studies;
    private final MachineTypeStore machineTypes;
    private final ThisMachine here;
    private final RecommendationMeters meters;
    private final RememberedAnswers remembered;
    private final InstantSource clock;
    private final Duration staleAfter;

    RecommendationService(
            RecommendationStore recommendations,
            StudyStore studies,
            MachineTypeStore machineTypes,
            ThisMachine here,
            RecommendationMeters meters,
            RememberedAnswers remembered,
            InstantSource clock,
            TunerProperties properties) {
        this.recommendations = recommendations;
        this.studies = studies;
        this.machineTypes = machineTypes;
        this.here = here;
        this.meters = meters;
        this.remembered = remembered;
        this.clock = clock;
        this.staleAfter = properties.staleAfter();
    }

    WrittenAnswer best(Query query) {
        long begunNanos = System.nanoTime();
        WrittenAnswer answer = find(query);
        meters.lookedUp(answer.answer().status(), Duration.ofNanos(System.nanoTime() - begunNanos));
        return answer;
    }

    /** Whether a study on machines of the type that was named would measure a machine like the caller's. */
    boolean wouldBeMeasured(Query query) {
        return mayBe(query, machine(query.machineType()));
    }

    private WrittenAnswer find(Query query) {
        try {
            return remembered.of(query, this::lookUp);
        } catch (RuntimeException unreadable) {
            log.error("The store cannot be read; a default is recommended", unreadable);
            return WrittenAnswer.of(new Asked(query, here.atStart(), "", Tuning.NONE).byDefault(UNREADABLE));
        }
    }

    private RecommendationAnswer lookUp(Query query) {
        Optional<Machine> named = machine(query.machineType());
        Asked asked = new Asked(query, named.orElse(here.atStart()), named.isPresent() ? "" : STAND_IN, tuning(query));
        return (mayBe(query, named) ? exact(asked) : Optional.<RecommendationAnswer>empty())
                .or(() -> similar(asked))
                .orElseGet(() -> asked.byDefault(NOTHING_MEASURED));
    }

    private static boolean mayBe(Query query, Optional<Machine> named) {
        return named.map(query.trainer()::mayBe).orElse(true);
    }

    private Tuning tuning(Query query) {
        return studies.underWay(
                        query.dataset(),
                        query.version(),
                        query.loader(),
                        query.machineType(),
                        query.trainer().ranks())
                .map(state -> state == StudyState.RUNNING ? Tuning.RUNNING : Tuning.QUEUED)
                .orElse(Tuning.NONE);
    }

    private boolean isStale(StoredRecommendation known) {
        return known.isStale(clock.instant().minus(staleAfter));
    }

    /**
     * A query with what is known about it.
     *
     * @param known the machine that was named, or what stands in for it
     * @param note says that it does
     */
    private record Asked(Query query, Machine known, String note, Tuning tuning) {
        /** The machine as far as the caller tells it apart. */
        Machine machine() {
            return query.trainer().on(known);
        }

        RecommendationAnswer byDefault(String why) {
            return RecommendationAnswer.unmeasured(
                    why + note + CAUTIOUS_START,
                    SafeDefault.on(machine(), query.trainer().ranks()),
                    query.machineType(),
                    tuning);
        }
    }

    private Optional<RecommendationAnswer> exact(Asked asked) {
        Query query = asked.query();
        DatasetDescriptor descriptor = query.descriptor();
        return (descriptor == null
                        ? recommendations.newest(
                                query.dataset(),
                                query.version(),
                                query.loader(),
                                query.machineType(),
                                query.trainer().ranks(),
                                query.trainer().torch())
                        : recommendations.newest(
                                Fingerprint.of(descriptor),
                                query.machineType(),
                                query.trainer().torch()))
                .map(known -> RecommendationAnswer.from(
                        known,
                        Status.EXACT,
                        isStale(known),
                        known.recommended().reason(),
                        known.recommended().config(),
                        asked.tuning()));
    }

    private Optional<RecommendationAnswer> similar(Asked asked) {
        Query query = asked.query();
        Map<String, Optional<Machine>> machines = new HashMap<>();
        return new Nearest(query, asked.machine(), type -> machines.computeIfAbsent(type, this::machine))
                .of(recommendations.newestOfEach(query.dataset(), query.loader()))
                .map(near -> near.answer(isStale(near.known()), asked.note(), asked.tuning()));
    }

    private Optional<Machine> machine(String type) {
        return type.equals(here.type())
                ? Optional.of(here.atStart())
                : machineTypes.find(type).map(MachineTypeStore.KnownType::machine);
    }
}
