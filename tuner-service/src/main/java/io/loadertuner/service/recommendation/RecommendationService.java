package io.loadertuner.service.recommendation;

import io.loadertuner.core.machine.Machine;
import io.loadertuner.core.tuning.StudyState;
import io.loadertuner.service.machine.MachineTypeStore;
import io.loadertuner.service.machine.ThisMachine;
import io.loadertuner.service.recommendation.RecommendationAnswer.Status;
import io.loadertuner.service.recommendation.RecommendationAnswer.Tuning;
import io.loadertuner.service.study.StudyStore;
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
    private static final String NOTHING_MEASURED = "Nothing was measured for this dataset with this loader.";

    private final RecommendationStore recommendations;
    private final StudyStore studies;
    private final MachineTypeStore machineTypes;
    private final ThisMachine here;

    RecommendationService(
            RecommendationStore recommendations, StudyStore studies, MachineTypeStore machineTypes, ThisMachine here) {
        this.recommendations = recommendations;
        this.studies = studies;
        this.machineTypes = machineTypes;
        this.here = here;
    }

    /**
     * What is asked for.
     *
     * @param version empty where the descriptor has none
     */
    record Query(String dataset, String version, String loader, String machineType, Trainer trainer) {}

    RecommendationAnswer best(Query query) {
        try {
            int ranks = query.trainer().ranks();
            Tuning tuning = studies.underWay(
                            query.dataset(), query.version(), query.loader(), query.machineType(), ranks)
                    .map(state -> state == StudyState.RUNNING ? Tuning.RUNNING : Tuning.QUEUED)
                    .orElse(Tuning.NONE);
            Optional<Machine> asked = machine(query.machineType());
            boolean said = asked.map(query.trainer()::mayBe).orElse(true);
            return (said
                            ? recommendations.newest(
                                    query.dataset(), query.version(), query.loader(), query.machineType(), ranks)
                            : Optional.<StoredRecommendation>empty())
                    .map(known -> exact(known, tuning))
                    .or(() -> similar(query, asked, tuning))
                    .orElseGet(() -> byDefault(query, asked, NOTHING_MEASURED, tuning));
        } catch (RuntimeException unreadable) {
            log.error("The store cannot be read; a default is recommended", unreadable);
            return byDefault(query, here.atStart(), "What was measured cannot be read at the moment.", Tuning.NONE);
        }
    }

    private Optional<RecommendationAnswer> similar(Query query, Optional<Machine> asked, Tuning tuning) {
        Machine machine = query.trainer().on(asked.orElse(here.atStart()));
        Map<String, Optional<Machine>> machines = new HashMap<>();
        return new Nearest(
                        query.version(),
                        machine,
                        query.trainer().ranks(),
                        type -> machines.computeIfAbsent(type, this::machine))
                .of(recommendations.all(query.dataset(), query.loader()))
                .map(near -> near.answer(asked.isPresent() ? "" : STAND_IN, tuning));
    }

    private Optional<Machine> machine(String type) {
        return type.equals(here.type())
                ? Optional.of(here.atStart())
                : machineTypes.find(type).map(MachineTypeStore.KnownType::machine);
    }

    private static RecommendationAnswer exact(StoredRecommendation known, Tuning tuning) {
        return RecommendationAnswer.measured(
                known,
                Status.EXACT,
                known.recommended().reason(),
                known.recommended().config(),
                tuning);
    }

    private RecommendationAnswer byDefault(Query query, Optional<Machine> known, String why, Tuning tuning) {
        return byDefault(query, known.orElse(here.atStart()), known.isPresent() ? why : why + STAND_IN, tuning);
    }

    private static RecommendationAnswer byDefault(Query query, Machine machine, String why, Tuning tuning) {
        return new RecommendationAnswer(
                null,
                Status.DEFAULT,
                false,
                why + " This is a cautious start: one worker for each usable core and GiB of"
                        + " memory, shared among the ranks, at most 8, PyTorch's own prefetch"
                        + " factor, and pinned memory only with a GPU.",
                SafeDefault.on(query.trainer().on(machine), query.trainer().ranks()),
                null,
                null,
                null,
                null,
                null,
                query.machineType(),
                null,
                null,
                null,
                tuning);
    }
}
