package io.loadertuner.service.recommendation;

import io.loadertuner.service.store.JsonText;
import java.nio.charset.StandardCharsets;
import org.springframework.util.DigestUtils;

/**
 * An answer with how it is sent.
 *
 * @param tag of the answer as ETag: another where anything of it is another
 */
record WrittenAnswer(RecommendationAnswer answer, String json, String tag) {
    static WrittenAnswer of(RecommendationAnswer answer) {
        String json = JsonText.of(answer);
        return new WrittenAnswer(
                answer, json, '"' + DigestUtils.md5DigestAsHex(json.getBytes(StandardCharsets.UTF_8)) + '"');
    }
}
