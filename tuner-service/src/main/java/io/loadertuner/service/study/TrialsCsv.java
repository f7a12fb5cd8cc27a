package io.loadertuner.service.study;

import io.loadertuner.core.tuning.TrialReport;
import io.loadertuner.service.store.JsonText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.dataformat.csv.CsvMapper;
import tools.jackson.dataformat.csv.CsvSchema;

/** Trials as a table (RFC 4180), a line each, for a notebook. What is not known is empty. */
final class TrialsCsv {
    private static final String COLUMN = "([a-z_]+)/([a-z_]+)";
    /** Fields of a trial as answered: what stands before a slash is the object that it is in. */
    private static final List<String> FIELDS = List.of(
            "number",
            "state",
            "config/num_workers",
            "config/prefetch_factor",
            "config/pin_memory",
            "config/batch_size",
            "config/persistent_workers",
            "config/non_blocking",
            "config/multiprocessing_context",
            "throughput/samples_per_second",
            "throughput/low",
            "throughput/high",
            "throughput/rounds",
            "unstable",
            "startup_seconds",
            "first_batch_seconds",
            "epoch_gap_seconds",
            "peak_memory_bytes",
            "shared_memory_bytes",
            "failure/reason",
            "failure/message");

    private static final CsvMapper CSV = CsvMapper.builder().build();
    private static final CsvSchema SCHEMA = schema();

    private TrialsCsv() {}

    static String of(List<TrialReport> trials) {
        List<Map<String, Object>> lines = new ArrayList<>();
        for (TrialReport trial : trials) {
            ObjectNode known = JsonText.tree(trial);
            Map<String, Object> line = new LinkedHashMap<>();
            FIELDS.forEach(field -> line.put(column(field), value(known.at("/" + field))));
            lines.add(line);
        }
        return CSV.writer(SCHEMA).writeValueAsString(lines);
    }

    private static CsvSchema schema() {
        CsvSchema.Builder columns = CsvSchema.builder();
        FIELDS.forEach(field -> columns.addColumn(column(field)));
        return columns.build().withHeader();
    }

    /** {@code num_workers}, {@code samples_per_second}; {@code failure_reason}, which would be no name without its object. */
    private static String column(String field) {
        return field.startsWith("failure/") ? field.replace('/', '_') : field.replaceFirst(COLUMN, "$2");
    }

    private static @Nullable Object value(JsonNode node) {
        return node.isMissingNode() || node.isNull() ? null : node.isNumber() ? node.numberValue() : node.asString();
    }
}
