package io.loadertuner.service.recommendation;

import io.loadertuner.core.dataset.DatasetDescriptor;
import io.loadertuner.core.machine.MachineType;
import io.loadertuner.core.space.InvalidFieldException;
import io.loadertuner.service.machine.ThisMachine;
import io.loadertuner.service.web.Choice;
import io.loadertuner.service.web.InvalidParameterException;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** {@code GET /api/v1/recommendations}: by the name of a dataset. */
@RestController
class RecommendationController {
    private static final String ASKED = "asked";

    private final RecommendationService recommendations;
    private final ThisMachine here;

    RecommendationController(RecommendationService recommendations, ThisMachine here) {
        this.recommendations = recommendations;
        this.here = here;
    }

    @GetMapping(path = "/api/v1/recommendations", produces = MediaType.APPLICATION_JSON_VALUE)
    RecommendationAnswer best(@ModelAttribute(name = ASKED, binding = false) Query asked) {
        return recommendations.best(asked);
    }

    /** The same, written down for pasting. */
    @GetMapping(path = "/api/v1/recommendations/snippet", produces = "text/plain;charset=UTF-8")
    String snippet(
            @ModelAttribute(name = ASKED, binding = false) Query asked,
            @RequestParam(name = "format", defaultValue = "pytorch") String format) {
        SnippetFormat wanted = Choice.of("format", SnippetFormat.class, format);
        return wanted.of(asked.dataset(), recommendations.best(asked));
    }

    /** What every call here asks for. A dataset without a version is one of its own, as in a descriptor. */
    @ModelAttribute(ASKED)
    Query asked(
            @RequestParam("dataset") String dataset,
            @RequestParam(name = "version", defaultValue = "") String version,
            @RequestParam(name = "loader", defaultValue = DatasetDescriptor.PYTORCH) String loader,
            @RequestParam(name = "machine_type", required = false) @Nullable String machineType,
            @RequestParam(name = "ranks", defaultValue = "1") String ranks,
            @RequestParam(name = "cpus", required = false) @Nullable String cpus,
            @RequestParam(name = "memory_bytes", required = false) @Nullable String memoryBytes,
            @RequestParam(name = "gpu", required = false) @Nullable String gpu,
            @RequestParam(name = "torch", required = false) @Nullable String torch,
            HttpServletResponse response) {
        requireName("dataset", dataset);
        if (!version.isEmpty()) {
            requireName("version", version);
        }
        if (!loader.equals(DatasetDescriptor.PYTORCH)) {
            throw new InvalidParameterException("loader", "must be pytorch, but is '" + loader + "'");
        }
        Query query = new Query(
                dataset,
                version,
                loader,
                machineType == null ? here.type() : key(machineType),
                TrainerParameters.trainer(TrainerParameters.ranks(ranks), cpus, memoryBytes, gpu, torch),
                null);
        // To be kept, and asked for again each time by its tag.
        response.setHeader(HttpHeaders.CACHE_CONTROL, "no-cache");
        return query;
    }

    private static void requireName(String parameter, String value) {
        try {
            DatasetDescriptor.requireName(parameter, value);
        } catch (InvalidFieldException invalid) {
            throw (InvalidParameterException)
                    new InvalidParameterException(parameter, invalid.problem()).initCause(invalid);
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
