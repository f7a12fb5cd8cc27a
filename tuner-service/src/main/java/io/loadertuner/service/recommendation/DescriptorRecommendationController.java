package io.loadertuner.service.recommendation;

import io.loadertuner.core.dataset.DatasetDescriptor;
import io.loadertuner.core.machine.MachineType;
import io.loadertuner.core.space.InvalidFieldException;
import io.loadertuner.core.tuning.StudyRequest;
import io.loadertuner.service.machine.ThisMachine;
import io.loadertuner.service.study.StudyQueue;
import io.loadertuner.service.web.RefusedBodyException;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code POST /api/v1/recommendations}: for a whole descriptor. */
@RestController
class DescriptorRecommendationController {
    private static final String TUNE = "tune";
    private static final String MISSING = "missing";

    private final RecommendationService recommendations;
    private final MissingStudies missing;
    private final StudyQueue studies;
    private final ThisMachine here;

    DescriptorRecommendationController(
            RecommendationService recommendations, MissingStudies missing, StudyQueue studies, ThisMachine here) {
        this.recommendations = recommendations;
        this.missing = missing;
        this.studies = studies;
        this.here = here;
    }

    /** The body is what would be posted as a study, and {@code "tune": "missing"} where one is to be queued. */
    @PostMapping(
            path = "/api/v1/recommendations",
            consumes = MediaType.APPLICATION_JSON_VALUE,
            produces = MediaType.APPLICATION_JSON_VALUE)
    RecommendationAnswer best(
            @RequestBody ObjectNode body,
            @RequestParam(name = "cpus", required = false) @Nullable String cpus,
            @RequestParam(name = "memory_bytes", required = false) @Nullable String memoryBytes,
            @RequestParam(name = "gpu", required = false) @Nullable String gpu,
            @RequestParam(name = "torch", required = false) @Nullable String torch) {
        boolean tune = wantsTuning(body.remove(TUNE));
        StudyRequest request = RefusedBodyException.orValue(body, StudyRequest.class);
        DatasetDescriptor descriptor = descriptor(request);
        Query query = Query.of(
                descriptor,
                machineType(request),
                TrainerParameters.trainer(descriptor.ranks(), cpus, memoryBytes, gpu, torch));
        RecommendationAnswer answer = recommendations.best(query).answer();
        return tune ? missing.tuned(answer, query, request) : answer;
    }

    private static boolean wantsTuning(@Nullable JsonNode tune) {
        if (tune != null && !tune.isNull() && !MISSING.equals(tune.asString(""))) {
            throw new InvalidFieldException(TUNE, "must be " + MISSING + ", or be left out, but is " + tune);
        }
        return tune != null && !tune.isNull();
    }

    /** As a study here would store it; as it stands where none could be here. */
    private DatasetDescriptor descriptor(StudyRequest request) {
        try {
            return studies.admitted(request.withMachineType(here.type())).descriptor();
        } catch (InvalidFieldException notHere) {
            return request.descriptor();
        }
    }

    private String machineType(StudyRequest request) {
        String named = request.machineType();
        try {
            return named == null ? here.type() : MachineType.named(named).key();
        } catch (IllegalArgumentException invalid) {
            throw (InvalidFieldException)
                    new InvalidFieldException("machine_type", String.valueOf(invalid.getMessage())).initCause(invalid);
        }
    }
}
