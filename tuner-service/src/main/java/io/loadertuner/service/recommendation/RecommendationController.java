package io.loadertuner.service.recommendation;

import io.loadertuner.core.dataset.DatasetDescriptor;
import io.loadertuner.core.machine.MachineType;
import io.loadertuner.core.space.InvalidFieldException;
import io.loadertuner.service.machine.ThisMachine;
import io.loadertuner.service.recommendation.RecommendationService.Query;
import io.loadertuner.service.web.InvalidParameterException;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** {@code /api/v1/recommendations}. */
@RestController
class RecommendationController {
    private final RecommendationService recommendations;
    private final ThisMachine here;

    RecommendationController(RecommendationService recommendations, ThisMachine here) {
        this.recommendations = recommendations;
        this.here = here;
    }

    /** A dataset without a version is one of its own, as in a descriptor. */
    @GetMapping(path = "/api/v1/recommendations", produces = MediaType.APPLICATION_JSON_VALUE)
    RecommendationAnswer best(
            @RequestParam("dataset") String dataset,
            @RequestParam(name = "version", defaultValue = "") String version,
            @RequestParam(name = "loader", defaultValue = DatasetDescriptor.PYTORCH) String loader,
            @RequestParam(name = "machine_type", required = false) @Nullable String machineType) {
        requireName("dataset", dataset);
        if (!version.isEmpty()) {
            requireName("version", version);
        }
        if (!loader.equals(DatasetDescriptor.PYTORCH)) {
            throw new InvalidParameterException("loader", "must be pytorch, but is '" + loader + "'");
        }
        return recommendations.best(
                new Query(dataset, version, loader, machineType == null ? here.type() : key(machineType)));
    }

    private static void requireName(String parameter, String value) {
        try {
            DatasetDescriptor.requireName(parameter, value);
        } catch (InvalidFieldException invalid) {
            String problem = String.valueOf(invalid.getMessage()).substring(parameter.length() + 2);
            throw (InvalidParameterException) new InvalidParameterException(parameter, problem).initCause(invalid);
        }
    }

    private static String key(String machineType) {
        try {
            return MachineType.named(machineType).key();
        } catch (IllegalArgumentException invalid) {
            throw (InvalidParameterException)
                    new InvalidParameterException("machine_type", String.valueOf(invalid.getMessage()))
                            .initCause(invalid);
        }
    }
}
