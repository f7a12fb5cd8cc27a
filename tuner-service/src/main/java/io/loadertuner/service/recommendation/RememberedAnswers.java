package io.loadertuner.service.recommendation;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.Function;
import org.springframework.stereotype.Component;

/** Answers that were given before, for as long as nothing that they rest on has changed. */
@Component
class RememberedAnswers {
    private static final int MOST = 20_000;

    /** An answer also rests on the time: one day it is stale. */
    private static final Duration LONGEST = Duration.ofMinutes(10);

    private final Known known;
    private final InstantSource clock;
    private final Cache<Query, Remembered> answers =
            Caffeine.newBuilder().maximumSize(MOST).build();

    RememberedAnswers(Known known, InstantSource clock) {
        this.known = known;
        this.clock = clock;
    }

    /** @param changes how often anything had changed before it was looked up */
    private record Remembered(WrittenAnswer answer, long changes, Instant at) {
        boolean isGood(long changesByNow, Instant now) {
            return changes == changesByNow && now.isBefore(at.plus(LONGEST));
        }
    }

    /** Whatever {@code lookUp} throws is thrown, and nothing is remembered of it. */
    WrittenAnswer of(Query query, Function<Query, RecommendationAnswer> lookUp) {
        if (query.descriptor() != null) {
            return WrittenAnswer.of(lookUp.apply(query));
        }
        long changes = known.changes();
        Instant now = clock.instant();
        Remembered remembered = answers.getIfPresent(query);
        if (remembered != null && remembered.isGood(changes, now)) {
            return remembered.answer();
        }
        WrittenAnswer answer = WrittenAnswer.of(lookUp.apply(query));
        answers.put(query, new Remembered(answer, changes, now));
        return answer;
    }
}
