package io.loadertuner.service.recommendation;

import io.loadertuner.core.dataset.DatasetDescriptor;
import io.loadertuner.core.machine.MachineType;
import io.loadertuner.core.space.InvalidFieldException;
import io.loadertuner.service.machine.ThisMachine;
import io.loadertuner.service.recommendation.RecommendationService.Query;
import io.loadertuner.service.web.Choice;
import io.loadertuner.service.web.InvalidParameterException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** {@code /api/v1/recommendations}. */
@RestController
class RecommendationController {
    private static final String ASKED = "asked";
    private static final String NO_GPU = "none";
    private static final Pattern MODEL = Pattern.compile("(?!\\s)\\P{C}{1,200}");
    private static final int MOST_RANKS = 1024;
    private static final int MOST_CORES = 65_536;
    private static final long MOST_BYTES = 1L << 50;

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
            @RequestParam(name = "gpu", required = false) @Nullable String gpu) {
        requireName("dataset", dataset);
        if (!version.isEmpty()) {
            requireName("version", version);
        }
        if (!loader.equals(DatasetDescriptor.PYTORCH)) {
            throw new InvalidParameterException("loader", "must be pytorch, but is '" + loader + "'");
        }
        if (gpu != null && !MODEL.matcher(gpu).matches()) {
            throw new InvalidParameterException("gpu", "must be a model's name of 1 to 200 characters, or " + NO_GPU);
        }
        Trainer trainer = new Trainer(
                (int) whole("ranks", ranks, MOST_RANKS),
                cpus == null ? null : cores(cpus),
                memoryBytes == null ? null : whole("memory_bytes", memoryBytes, MOST_BYTES),
                NO_GPU.equals(gpu) ? "" : gpu);
        return new Query(dataset, version, loader, machineType == null ? here.type() : key(machineType), trainer);
    }

    private static long whole(String parameter, String text, long most) {
        long value = text.matches("\\d{1,18}") ? Long.parseLong(text) : 0;
        if (value < 1 || value > most) {
            throw new InvalidParameterException(
                    parameter, "must be a whole number from 1 to " + most + ", but is '" + text + "'");
        }
        return value;
    }

    private static double cores(String text) {
        double value = text.matches("\\d{1,9}(\\.\\d{1,9})?") ? Double.parseDouble(text) : 0;
        if (value <= 0 || value > MOST_CORES) {
            throw new InvalidParameterException(
                    "cpus", "must be a number above 0 and at most " + MOST_CORES + ", but is '" + text + "'");
        }
        return value;
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
