package io.loadertuner.service.recommendation;

import io.loadertuner.core.dataset.DatasetDescriptor;
import io.loadertuner.core.machine.MachineType;
import io.loadertuner.core.space.InvalidFieldException;
import io.loadertuner.service.machine.ThisMachine;
import io.loadertuner.service.web.CallParameters;
import io.loadertuner.service.web.Choice;
import io.loadertuner.service.web.InvalidParameterException;
import jakarta.servlet.http.HttpServletRequest;
import org.springframework.http.CacheControl;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.MissingServletRequestParameterException;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * {@code GET /api/v1/recommendations}: by the name of a dataset. What is asked for is read from the call by hand: every training
 * asks here, and Spring's ways to bind so many parameters take longer than all the rest.
 */
@RestController
class RecommendationController {
    private static final String DATASET = "dataset";
    private static final String VERSION = "version";
    private static final String LOADER = "loader";
    private static final String MACHINE_TYPE = "machine_type";
    private static final String RANKS = "ranks";
    private static final String CPUS = "cpus";
    private static final String MEMORY_BYTES = "memory_bytes";
    private static final String GPU = "gpu";
    private static final String TORCH = "torch";
    private static final String FORMAT = "format";

    /** To be kept, and asked for again each time by its tag. */
    private static final CacheControl ASK_AGAIN = CacheControl.noCache();

    private final RecommendationService recommendations;
    private final ThisMachine here;

    RecommendationController(RecommendationService recommendations, ThisMachine here) {
        this.recommendations = recommendations;
        this.here = here;
    }

    @GetMapping(path = "/api/v1/recommendations", produces = MediaType.APPLICATION_JSON_VALUE)
    @CallParameters(
            value = {DATASET, VERSION, LOADER, MACHINE_TYPE, RANKS, CPUS, MEMORY_BYTES, GPU, TORCH},
            needed = DATASET)
    ResponseEntity<String> best(HttpServletRequest call) throws MissingServletRequestParameterException {
        WrittenAnswer written = recommendations.best(asked(call));
        return ResponseEntity.ok()
                .cacheControl(ASK_AGAIN)
                .eTag(written.tag())
                .contentType(MediaType.APPLICATION_JSON)
                .body(written.json());
    }

    /** The same, written down for pasting. */
    @GetMapping(path = "/api/v1/recommendations/snippet", produces = "text/plain;charset=UTF-8")
    @CallParameters(
            value = {DATASET, VERSION, LOADER, MACHINE_TYPE, RANKS, CPUS, MEMORY_BYTES, GPU, TORCH, FORMAT},
            needed = DATASET)
    ResponseEntity<String> snippet(HttpServletRequest call) throws MissingServletRequestParameterException {
        Query asked = asked(call);
        SnippetFormat wanted = Choice.of(FORMAT, SnippetFormat.class, given(call, FORMAT, "pytorch"));
        return ResponseEntity.ok()
                .cacheControl(ASK_AGAIN)
                .body(wanted.of(asked.dataset(), recommendations.best(asked).answer()));
    }

    /** What every call here asks for. A dataset without a version is one of its own, as in a descriptor. */
    private Query asked(HttpServletRequest call) throws MissingServletRequestParameterException {
        String dataset = call.getParameter(DATASET);
        if (dataset == null) {
            throw new MissingServletRequestParameterException(DATASET, "String");
        }
        String version = given(call, VERSION, "");
        String loader = given(call, LOADER, DatasetDescriptor.PYTORCH);
        String machineType = call.getParameter(MACHINE_TYPE);
        requireName(DATASET, dataset);
        if (!version.isEmpty()) {
            requireName(VERSION, version);
        }
        if (!loader.equals(DatasetDescriptor.PYTORCH)) {
            throw new InvalidParameterException(LOADER, "must be pytorch, but is '" + loader + "'");
        }
        return new Query(
                dataset,
                version,
                loader,
                machineType == null ? here.type() : key(machineType),
                TrainerParameters.trainer(
                        TrainerParameters.ranks(given(call, RANKS, "1")),
                        call.getParameter(CPUS),
                        call.getParameter(MEMORY_BYTES),
                        call.getParameter(GPU),
                        call.getParameter(TORCH)),
                null);
    }

    /** As Spring reads a parameter with a default: one that is given empty is not given. */
    private static String given(HttpServletRequest call, String name, String otherwise) {
        String value = call.getParameter(name);
        return value == null || value.isEmpty() ? otherwise : value;
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
                    new InvalidParameterException(MACHINE_TYPE, String.valueOf(invalid.getMessage()))
                            .initCause(invalid);
        }
    }
}
