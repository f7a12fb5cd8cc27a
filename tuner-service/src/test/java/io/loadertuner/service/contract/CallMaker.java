package io.loadertuner.service.contract;

import io.loadertuner.core.json.TunerJson;
import io.loadertuner.service.contract.Contract.Call;
import io.loadertuner.service.contract.Contract.Parameter;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** Makes calls by the contract: some as it wants them, some with a flaw that it says must be refused, some with one that may. */
final class CallMaker {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    private static final int REMEMBERED = 20;
    private static final List<String> METHODS =
            List.of("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE", "NONSENSE");
    private static final List<String> MEDIA_TYPES = List.of(
            "text/plain",
            "application/x-www-form-urlencoded",
            "multipart/form-data",
            "application/xml",
            "nonsense",
            "*/*");
    private static final List<String> CHARSETS = List.of("utf-8", "UTF-16", "iso-8859-1", "nonsense", "\"");
    private static final List<String> ACCEPTED = List.of(
            "*/*",
            "application/json",
            "application/json;q=0",
            "application/problem+json",
            "text/csv",
            "image/png",
            "text/html,application/xhtml+xml,*/*;q=0.1",
            "nonsense",
            "a/b/c",
            ";;;",
            "x/".repeat(2000));
    private static final List<String> PATHS = List.of(
            "%2e%2e/%2e%2e/etc/passwd",
            "..%2f..%2f",
            "%00",
            "%ff%fe",
            "%zz",
            "a;jsessionid=1",
            "a%0d%0aSet-Cookie:%20a=b",
            "a//b",
            "a\\b",
            "{id}",
            "",
            "n".repeat(6000));

    private final Contract contract;
    private final Random random;
    private final List<String> headers;
    private final SchemaValues values;
    private final Flaws flaws;
    private final List<Call> calls = new ArrayList<>();
    private final List<Call> neverTaken = new ArrayList<>();
    private final List<String> studies = new ArrayList<>();
    private final List<String> schedules = new ArrayList<>(List.of("unknown"));
    private final List<String> tokens = new ArrayList<>(List.of("unknown"));
    private final Known known;

    /**
     * What there is from the beginning, for calls that would hardly come upon it.
     *
     * @param failedTrial of the failed study, one that failed
     * @param schedule one that is neither changed nor deleted
     * @param changedSchedule one that is not deleted
     */
    record Known(String failedStudy, int failedTrial, String cancelledStudy, String schedule, String changedSchedule) {}

    /** @param headers that every call needs */
    CallMaker(Contract contract, Random random, List<String> headers, Known known) {
        this.contract = contract;
        this.random = random;
        this.headers = headers;
        this.values = new SchemaValues(contract, random);
        this.flaws = new Flaws(random);
        this.known = known;
        studies.add(known.failedStudy());
        neverTaken.addAll(contract.calls());
        for (Call call : contract.calls()) {
            int weight = call.needsBody() ? 6 : call.parameters().isEmpty() ? 1 : 3;
            for (int time = 0; time < weight; time++) {
                calls.add(call);
            }
        }
    }

    /** What was made by a call is what others are about. */
    void learn(FuzzedCall call, RawAnswer answer) {
        String path = call.described().path();
        if (answer.status() < 300 && call.method().equals(call.described().method())) {
            neverTaken.remove(call.described());
        }
        if (answer.status() >= 300 || !answer.mediaType().equals("application/json")) {
            return;
        }
        String id = TunerJson.mapper().readTree(answer.text()).path("id").asString("");
        if (path.equals("/api/v1/studies") && !id.isEmpty()) {
            remember(studies, id);
        } else if (path.equals("/api/v1/schedules") && !id.isEmpty()) {
            remember(schedules, id);
        } else if (path.equals("/api/v1/tokens") && !id.isEmpty()) {
            remember(tokens, id);
        }
    }

    private static void remember(List<String> known, String id) {
        known.add(id);
        if (known.size() > REMEMBERED) {
            known.remove(1);
        }
    }

    FuzzedCall next() {
        boolean wanted = !neverTaken.isEmpty() && random.nextInt(4) == 0;
        Draft draft = new Draft(oneOf(wanted ? neverTaken : calls));
        boolean sound = wanted || random.nextDouble() < 0.4;
        if (!sound) {
            spoil(draft);
        }
        return draft.call(sound);
    }

    private void spoil(Draft draft) {
        switch (random.nextInt(12)) {
            case 0 -> draft.method = otherMethod(draft);
            case 1 -> draft.unknownParameter();
            case 2 -> draft.repeatParameter();
            case 3 -> draft.leaveOutParameter();
            case 4 -> draft.accept = oneOf(ACCEPTED);
            case 5 -> draft.mediaType(oneOf(MEDIA_TYPES));
            case 6 -> draft.contentType = "application/json;charset=" + oneOf(CHARSETS);
            case 7 ->
                draft.path = "/api/v1/" + oneOf(List.of("", "studies/", "tokens/", "studies/x/trials/")) + oneOf(PATHS);
            case 8 -> draft.malform();
            case 9 -> draft.credentials();
            case 10 -> draft.spoilParameter();
            default -> draft.spoilBody();
        }
    }

    private String otherMethod(Draft draft) {
        String other = oneOf(METHODS);
        return other.equals(draft.described.method()) ? "PUT" : other;
    }

    private <T> T oneOf(List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /** A call in the making. */
    private final class Draft {
        private final Call described;
        private String method;
        private @Nullable String path;
        private final List<Given> given = new ArrayList<>();
        private @Nullable String contentType;
        private @Nullable String accept;
        private @Nullable JsonNode tree;
        private byte @Nullable [] body;
        private @Nullable String refusedFor;
        private List<String> shown = headers;

        private record Given(Parameter parameter, String text) {}

        Draft(Call described) {
            this.described = described;
            this.method = described.method();
            boolean fitting = random.nextBoolean();
            for (Parameter parameter : described.parameters()) {
                if (parameter.required() || random.nextInt(3) == 0) {
                    given.add(new Given(parameter, fitting ? fitting(parameter) : allowed(parameter)));
                }
            }
            if (!method.equals("GET")) {
                contentType = "application/json";
            }
            described.body().ifPresent(schema -> tree = values.of("body", schema));
        }

        private String fitting(Parameter parameter) {
            String path = described.path();
            if (path.endsWith("/run") || path.endsWith("/runs")) {
                return parameter.name().equals("id") ? known.schedule() : allowed(parameter);
            }
            if (method.equals("PUT")) {
                return known.changedSchedule();
            }
            if (path.endsWith("/cancel")) {
                return known.cancelledStudy();
            }
            if (path.endsWith("/retry")) {
                return parameter.name().equals("id") ? known.failedStudy() : String.valueOf(known.failedTrial());
            }
            return allowed(parameter);
        }

        private String allowed(Parameter parameter) {
            if (parameter.in().equals("path") && parameter.name().equals("id") && random.nextInt(10) > 0) {
                return oneOf(
                        described.path().contains("tokens")
                                ? tokens
                                : described.path().contains("schedules") ? schedules : studies);
            }
            if (parameter.name().equals("number") && random.nextInt(10) > 0) {
                return String.valueOf(1 + random.nextInt(3));
            }
            JsonNode value = values.of(parameter.name(), parameter.schema());
            String text = value.isValueNode() ? value.asString() : value.toString();
            // What has a meaning in an address of its own is refused before anybody asks what it names.
            return parameter.in().equals("path") && !text.matches("[\\w-]+") ? "unknown" : text;
        }

        void unknownParameter() {
            String name = oneOf(List.of("unknown", "Limit", "dataset[]", "a.b", "é", "__proto__"));
            given.add(new Given(new Parameter(name, "query", false, true, JSON.objectNode()), flaws.text()));
            if (!described.path().startsWith("/actuator/")) {
                refusedFor = "the parameter " + name + ", which is not known";
            }
        }

        void repeatParameter() {
            List<Given> queries = queries();
            if (!queries.isEmpty()) {
                Given one = oneOf(queries);
                given.add(new Given(one.parameter(), allowed(one.parameter())));
                if (!described.path().startsWith("/actuator/")) {
                    refusedFor = one.parameter().name() + ", which is given twice";
                }
            }
        }

        void leaveOutParameter() {
            List<Given> needed =
                    queries().stream().filter(one -> one.parameter().required()).toList();
            if (!needed.isEmpty()) {
                Given one = oneOf(needed);
                given.remove(one);
                refusedFor = one.parameter().name() + ", which is missing";
            }
        }

        void spoilParameter() {
            if (described.parameters().isEmpty()) {
                unknownParameter();
                return;
            }
            Parameter parameter = oneOf(described.parameters());
            given.removeIf(one -> one.parameter().equals(parameter));
            String text = random.nextBoolean() ? flaws.text() : flaws.value().toString();
            String sent = parameter.in().equals("header")
                    ? text.replaceAll("[\\r\\n]", " ").strip()
                    : URLDecoder.decode(encoded(text), StandardCharsets.UTF_8);
            given.add(new Given(parameter, sent));
            boolean emptyIsNothing = sent.isEmpty() && parameter.mayBeEmpty();
            boolean compared = parameter.name().equals("If-None-Match");
            List<String> faults = contract.faults(parameter.schema(), typed(parameter, sent));
            if (!emptyIsNothing
                    && !compared
                    && !faults.isEmpty()
                    && !described.path().startsWith("/actuator/")) {
                refusedFor = parameter.name() + ": " + faults;
            }
        }

        private JsonNode typed(Parameter parameter, String text) {
            String type = parameter.schema().path("type").asString("");
            boolean number = (type.equals("integer") && text.matches("-?\\d+"))
                    || (type.equals("number") && text.matches("-?\\d+(\\.\\d+)?"));
            return number
                    ? TunerJson.mapper().readTree(text.replaceFirst("^(-?)0+(?=\\d)", "$1"))
                    : JSON.stringNode(text);
        }

        private List<Given> queries() {
            return given.stream()
                    .filter(one -> one.parameter().in().equals("query"))
                    .toList();
        }

        void mediaType(String type) {
            contentType = type;
            if (!described.method().equals("GET")) {
                refusedFor = "a body that is " + type;
            }
        }

        void credentials() {
            shown = List.of(oneOf(List.of(
                    "Authorization: Bearer",
                    "Authorization: Bearer lt_madeup",
                    "Authorization: Basic YTpi",
                    "Authorization: Bearer a.b.c",
                    "Authorization: Bearer " + "t".repeat(5000),
                    "X-Nothing: at all")));
            if (!headers.isEmpty() && !described.path().startsWith("/actuator/health")) {
                refusedFor = "what it shows instead of a token";
            }
        }

        void malform() {
            JsonNode sound = tree;
            if (sound != null && described.needsBody()) {
                body = flaws.malformed(sound);
                refusedFor = "a body that is no JSON, or no object";
            }
        }

        void spoilBody() {
            JsonNode sound = tree;
            if (sound == null || !described.needsBody()) {
                return;
            }
            JsonNode flawed = random.nextInt(10) == 0 ? flaws.value() : flaws.inside(sound);
            tree = flawed;
            List<String> faults = contract.faults(described.body().orElseThrow(), flawed);
            if (!faults.isEmpty()) {
                refusedFor = faults.toString();
            }
        }

        FuzzedCall call(boolean sound) {
            List<String> lines = new ArrayList<>(shown);
            StringBuilder query = new StringBuilder();
            String target = path == null ? described.path() : path;
            for (Given one : given) {
                Parameter parameter = one.parameter();
                switch (parameter.in()) {
                    case "path" -> target = target.replace("{" + parameter.name() + "}", encoded(one.text()));
                    case "header" -> lines.add(parameter.name() + ": " + one.text());
                    default ->
                        query.append(query.isEmpty() ? '?' : '&')
                                .append(encoded(parameter.name()))
                                .append('=')
                                .append(encoded(one.text()));
                }
            }
            if (contentType != null) {
                lines.add("Content-Type: " + contentType);
            }
            if (accept != null) {
                lines.add("Accept: " + accept);
            }
            boolean elsewhere = path != null || !method.equals(described.method());
            byte[] sent = body;
            if (sent == null && tree != null) {
                sent = TunerJson.mapper().writeValueAsBytes(tree);
            }
            return new FuzzedCall(described, method, target + query, lines, sent, sound, elsewhere ? null : refusedFor);
        }
    }
}
