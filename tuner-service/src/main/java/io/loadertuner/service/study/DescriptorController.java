package io.loadertuner.service.study;

import io.loadertuner.core.loader.LoaderFacts;
import io.loadertuner.core.tuning.StudyRequest;
import java.util.concurrent.CompletableFuture;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.async.DeferredResult;

/** {@code /api/v1/descriptors}. */
@RestController
class DescriptorController {
    /** The loader's own limits end a check. */
    private static final Long NO_TIMEOUT = 0L;

    private final StudyService studies;

    DescriptorController(StudyService studies) {
        this.studies = studies;
    }

    /** The body is what would be posted as a study. */
    @PostMapping(
            path = "/api/v1/descriptors/check",
            consumes = MediaType.APPLICATION_JSON_VALUE,
            produces = MediaType.APPLICATION_JSON_VALUE)
    DeferredResult<LoaderFacts> check(@RequestBody StudyRequest request) {
        DeferredResult<LoaderFacts> answer = new DeferredResult<>(NO_TIMEOUT);
        CompletableFuture<LoaderFacts> facts = studies.check(request);
        CompletableFuture<?> unused = facts.whenComplete((found, failure) -> {
            if (failure != null) {
                answer.setErrorResult(failure);
            } else {
                answer.setResult(found);
            }
        });
        return answer;
    }
}
