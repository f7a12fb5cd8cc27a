package io.loadertuner.service.recommendation;

import io.loadertuner.core.tuning.StudyReport;
import io.loadertuner.core.tuning.StudyReport.Recommended;
import io.loadertuner.service.recommendation.RecommendationAnswer.Status;
import io.loadertuner.service.recommendation.RecommendationAnswer.Tuning;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/** What a study recommends, written down for pasting. */
public final class Snippets {
    private Snippets() {}

    /**
     * @param format {@code pytorch lightning transformers accelerate env yaml}
     */
    public record Snippet(String format, String text) {}

    /** One for each format. */
    public static List<Snippet> of(StudyReport study, Recommended recommended, Instant measuredAt) {
        RecommendationAnswer answer = new RecommendationAnswer(
                recommended.id(),
                Status.EXACT,
                false,
                recommended.reason(),
                recommended.config(),
                recommended.throughput(),
                study.baseline(),
                recommended.speedup(),
                measuredAt,
                null,
                null,
                study.device(),
                Objects.requireNonNullElse(study.machineType(), "this machine"),
                study.version(),
                null,
                study.id(),
                null,
                Tuning.NONE);
        return Arrays.stream(SnippetFormat.values())
                .map(format -> new Snippet(format.name().toLowerCase(Locale.ROOT), format.of(study.dataset(), answer)))
                .toList();
    }
}
