package io.loadertuner.core.loader.pytorch;

import io.loadertuner.core.dataset.DatasetDescriptor;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * What a probe is asked to build.
 *
 * @param rank which of several training processes it is; null where there is one
 */
record OpenRequest(
        DatasetDescriptor descriptor,
        AllowedRoots roots,
        long seed,
        @Nullable Rank rank) {
    private static final JsonMapper JSON = ProbeMessages.JSON;

    ObjectNode toJson() {
        ObjectNode request = JSON.createObjectNode()
                .put("command", "open")
                .put("device", "auto")
                .put("seed", seed);
        if (rank != null) {
            request.put("rank", rank.number()).put("world_size", rank.worldSize());
        }
        request.set("source", JSON.valueToTree(descriptor.source()));
        request.set("step", step());
        request.set("code_roots", JSON.valueToTree(texts(roots.code())));
        request.set("data_roots", JSON.valueToTree(texts(roots.data())));
        return request;
    }

    private JsonNode step() {
        JsonNode step = JSON.valueToTree(descriptor.step());
        if (step instanceof ObjectNode factory) {
            factory.set("python_path", JSON.valueToTree(texts(roots.stepPath())));
        }
        return step;
    }

    private static @Nullable List<String> texts(@Nullable List<Path> folders) {
        return folders == null ? null : folders.stream().map(Path::toString).toList();
    }
}
