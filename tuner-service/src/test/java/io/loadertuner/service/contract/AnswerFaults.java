package io.loadertuner.service.contract;

import io.loadertuner.core.json.TunerJson;
import io.loadertuner.service.contract.Contract.Call;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** What an answer has that the contract does not allow. */
final class AnswerFaults {
    private static final String PROBLEM = "application/problem+json";
    private static final String CHECK = "/api/v1/descriptors/check";

    /** What no schema tells: what lies on this machine, who may run code, and which fields go together. */
    private static final Set<String> BEYOND_SCHEMAS = Set.of(
            "machine_type",
            "source.kind",
            "source.path",
            "source.factory",
            "source.environment",
            "source.python_path",
            "source.shape",
            "step",
            "step.factory",
            "step.arguments",
            "space",
            "space.num_workers",
            "space.prefetch_factor",
            "space.batch_size",
            "baseline.prefetch_factor",
            "baseline.persistent_workers",
            "baseline.multiprocessing_context",
            "cron",
            "time_zone",
            "Idempotency-Key");

    private final Contract contract;

    AnswerFaults(Contract contract) {
        this.contract = contract;
    }

    List<String> of(FuzzedCall call, RawAnswer answer) {
        List<String> faults = new ArrayList<>();
        int status = answer.status();
        if (status >= 500 && !isBusy(call, answer)) {
            faults.add("status " + status);
        }
        if (call.refusedFor() != null && status < 400) {
            faults.add("it was taken");
        }
        if (!answer.header("Trace-Id").matches("[0-9a-f]{32}")) {
            faults.add("no Trace-Id");
        }
        if (call.sound() && (status == 400 || status == 422) && !isBeyondSchemas(answer)) {
            faults.add("it was refused");
        }
        Optional<Call> described = described(call);
        if (described.isPresent() && !described.get().responses().has(String.valueOf(status))) {
            faults.add("status " + status + " is not described");
        }
        if (call.method().equals("HEAD") || status == 204 || status == 304) {
            if (answer.body().length > 0) {
                faults.add("a body");
            }
        } else if (status >= 400) {
            faults.addAll(ofProblem(answer));
        } else {
            described.ifPresent(known -> faults.addAll(ofSuccess(known, answer)));
        }
        return faults;
    }

    /** The call that it turned out to be, if any. */
    private Optional<Call> described(FuzzedCall call) {
        String path = call.target().replaceFirst("\\?.*", "");
        return contract.calls().stream()
                .filter(known -> known.method().equals(call.method()))
                .filter(known -> path.matches(known.path().replaceAll("\\{\\w+}", "[^/]+")))
                .findFirst();
    }

    private static boolean isBeyondSchemas(RawAnswer answer) {
        String field = read(answer).path("field").asString("");
        return BEYOND_SCHEMAS.contains(field.replaceFirst("^study\\.", ""));
    }

    /** A check beside a measurement is refused by design, and says when to come again. */
    private static boolean isBusy(FuzzedCall call, RawAnswer answer) {
        return call.described().path().equals(CHECK)
                && answer.status() == 503
                && answer.text().contains("machine-busy")
                && !answer.header("Retry-After").isEmpty();
    }

    private List<String> ofProblem(RawAnswer answer) {
        if (!answer.mediaType().equals(PROBLEM)) {
            return List.of("an error that is " + answer.mediaType());
        }
        JsonNode problem = read(answer);
        List<String> faults = new ArrayList<>(contract.faults(
                contract.root().at("/components/responses/BadRequest/content/application~1problem+json/schema"),
                problem));
        if (problem.path("status").asInt() != answer.status()) {
            faults.add("another status in the problem");
        }
        if (!problem.path("instance").asString("").endsWith(":" + answer.header("Trace-Id"))) {
            faults.add("another instance than the Trace-Id");
        }
        return faults;
    }

    private List<String> ofSuccess(Call call, RawAnswer answer) {
        JsonNode schema = contract.answer(call, answer.status(), answer.mediaType());
        if (schema == null) {
            return List.of("an answer that is " + answer.mediaType());
        }
        return answer.mediaType().contains("json") ? contract.faults(schema, read(answer)) : List.of();
    }

    private static JsonNode read(RawAnswer answer) {
        try {
            return TunerJson.mapper().readTree(answer.text());
        } catch (JacksonException malformed) {
            throw new AssertionError(answer.text(), malformed);
        }
    }
}
