package io.loadertuner.service.recommendation;

import io.loadertuner.core.space.InvalidFieldException;
import io.loadertuner.core.tuning.StudyRequest;
import io.loadertuner.service.recommendation.RecommendationAnswer.Status;
import io.loadertuner.service.recommendation.RecommendationAnswer.Tuning;
import io.loadertuner.service.store.Sha256;
import io.loadertuner.service.study.CallerRefusedException;
import io.loadertuner.service.study.StudyQueue;
import io.loadertuner.service.study.TooManyStudiesException;
import java.util.Locale;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/** Has measured what nobody has measured yet: once, however many launchers ask. */
@Component
class MissingStudies {
    private static final Logger log = LoggerFactory.getLogger(MissingStudies.class);

    private final RecommendationService recommendations;
    private final StudyQueue studies;

    MissingStudies(RecommendationService recommendations, StudyQueue studies) {
        this.recommendations = recommendations;
        this.studies = studies;
    }

    /** The answer with what becomes of the study; none is queued where the answer is exact or one is under way. */
    RecommendationAnswer tuned(RecommendationAnswer answer, Query query, StudyRequest request) {
        if (answer.status() == Status.EXACT || answer.tuning() != Tuning.NONE) {
            return answer;
        }
        try {
            if (!recommendations.wouldBeMeasured(query)) {
                return answer.with(
                        Tuning.NONE, " No study is queued: here it would measure another machine than yours.");
            }
            StudyQueue.Queued study = studies.queueOnce(request, "missing " + reason(query));
            return switch (study.state()) {
                case QUEUED -> answer.with(Tuning.QUEUED, "");
                case RUNNING -> answer.with(Tuning.RUNNING, "");
                case COMPLETED, CANCELLED, FAILED ->
                    answer.with(
                            Tuning.NONE,
                            " A study was queued for it before, %s, and is %s; post another to have it measured."
                                    .formatted(study.id(), study.state().name().toLowerCase(Locale.ROOT)));
            };
        } catch (InvalidFieldException | CallerRefusedException | TooManyStudiesException refused) {
            return answer.with(Tuning.NONE, " No study is queued: " + refused.getMessage() + ".");
        } catch (RuntimeException unwritable) {
            log.error("A study that is missing cannot be queued", unwritable);
            return answer.with(Tuning.NONE, " No study is queued: the store cannot be written at the moment.");
        }
    }

    /** Where somebody has another PyTorch than was measured, a study is missing again. */
    private static String reason(Query query) {
        return Sha256.of(Fingerprint.of(Objects.requireNonNull(query.descriptor())) + " " + query.machineType() + " "
                + query.trainer().torch());
    }
}
