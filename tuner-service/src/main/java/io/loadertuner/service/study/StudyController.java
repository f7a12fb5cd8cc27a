package io.loadertuner.service.study;

import io.loadertuner.core.tuning.StudyRequest;
import io.loadertuner.core.tuning.StudyState;
import io.loadertuner.core.tuning.TrialReport;
import io.loadertuner.service.web.Choice;
import io.loadertuner.service.web.InvalidParameterException;
import io.loadertuner.service.web.Page;
import io.loadertuner.service.web.PageRequest;
import java.net.URI;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.async.DeferredResult;
import tools.jackson.databind.node.ObjectNode;

/** {@code /api/v1/studies}. */
@RestController
@RequestMapping(path = "/api/v1/studies", produces = MediaType.APPLICATION_JSON_VALUE)
class StudyController {
    private static final String IDEMPOTENCY_KEY = "Idempotency-Key";
    private static final String CSV = "text/csv;charset=UTF-8";
    private static final Pattern VISIBLE = Pattern.compile("[!-~]{1,200}");
    private static final int LONGEST_WAIT_SECONDS = 3600;
    private static final int SECONDS_TO_STOP = 15;

    private final StudyService studies;

    StudyController(StudyService studies) {
        this.studies = studies;
    }

    @PostMapping(consumes = MediaType.APPLICATION_JSON_VALUE)
    DeferredResult<ResponseEntity<ObjectNode>> post(
            @RequestBody StudyRequest request,
            @RequestParam(name = "wait", required = false) @Nullable Integer wait,
            @RequestHeader(name = IDEMPOTENCY_KEY, required = false) @Nullable String idempotencyKey) {
        int seconds = wait == null ? 0 : wait;
        if (seconds < 0 || seconds > LONGEST_WAIT_SECONDS) {
            throw new InvalidParameterException(
                    "wait", "must be from 0 to " + LONGEST_WAIT_SECONDS + " seconds, but is " + seconds);
        }
        if (idempotencyKey != null && !VISIBLE.matcher(idempotencyKey).matches()) {
            throw new InvalidParameterException(IDEMPOTENCY_KEY, "must be 1 to 200 visible ASCII characters");
        }
        String id = studies.post(request, idempotencyKey);
        if (wait == null) {
            // The study may be over already; by the contract only a call that waits is told so by its status.
            DeferredResult<ResponseEntity<ObjectNode>> accepted = new DeferredResult<>();
            accepted.setResult(answer(HttpStatus.ACCEPTED, studies.find(id)));
            return accepted;
        }
        return whenDone(id, seconds, seconds == 0 ? CompletableFuture.completedFuture(null) : studies.end(id));
    }

    @GetMapping
    Page<ObjectNode> list(
            @RequestParam(name = "dataset", required = false) @Nullable String dataset,
            @RequestParam(name = "machine_type", required = false) @Nullable String machineType,
            @RequestParam(name = "state", required = false) @Nullable String state,
            @RequestParam(name = "cursor", required = false) @Nullable String cursor,
            @RequestParam(name = "limit", required = false) @Nullable String limit) {
        return studies.list(
                new StudyFilter(
                        dataset, machineType, state == null ? null : Choice.of("state", StudyState.class, state)),
                PageRequest.of(cursor, limit));
    }

    @GetMapping("/{id}")
    ObjectNode find(@PathVariable("id") String id) {
        return studies.answer(studies.find(id));
    }

    @GetMapping("/{id}/trials")
    Page<TrialReport> trials(
            @PathVariable("id") String id,
            @RequestParam(name = "cursor", required = false) @Nullable String cursor,
            @RequestParam(name = "limit", required = false) @Nullable String limit) {
        return studies.trials(id, PageRequest.of(cursor, limit));
    }

    @GetMapping(path = "/{id}/surface.csv", produces = CSV)
    String surface(@PathVariable("id") String id) {
        return studies.surface(id);
    }

    @GetMapping(path = "/{id}/trials.csv", produces = CSV)
    String trialsTable(@PathVariable("id") String id) {
        return studies.trialsTable(id);
    }

    @GetMapping("/{id}/trials/{number}")
    TrialAnswer trial(@PathVariable("id") String id, @PathVariable("number") int number) {
        return studies.trial(id, number);
    }

    /** What the loading processes printed during the trial. */
    @GetMapping(path = "/{id}/trials/{number}/log", produces = "text/plain;charset=UTF-8")
    String log(@PathVariable("id") String id, @PathVariable("number") int number) {
        return studies.log(id, number);
    }

    @PostMapping(path = "/{id}/trials/{number}/retry", consumes = MediaType.APPLICATION_JSON_VALUE)
    ResponseEntity<TrialAnswer> retry(@PathVariable("id") String id, @PathVariable("number") int number) {
        studies.retry(id, number);
        return ResponseEntity.accepted()
                .location(URI.create("/api/v1/studies/" + id + "/trials/" + number))
                .body(studies.trial(id, number));
    }

    /** Needs the content type of JSON, as every call that changes something, though it needs no body. */
    @PostMapping(path = "/{id}/cancel", consumes = MediaType.APPLICATION_JSON_VALUE)
    DeferredResult<ResponseEntity<ObjectNode>> cancel(@PathVariable("id") String id) {
        CompletableFuture<Void> stopped = studies.cancel(id)
                .thenRun(() -> studies.requireCancelled(id, studies.find(id).state()));
        return whenDone(id, SECONDS_TO_STOP, stopped);
    }

    /** 200 when the study is over by then, else 202 with the study as it stands. */
    private DeferredResult<ResponseEntity<ObjectNode>> whenDone(String id, int seconds, CompletableFuture<Void> done) {
        DeferredResult<ResponseEntity<ObjectNode>> answer = new DeferredResult<>(seconds * 1000L, () -> answer(id));
        CompletableFuture<?> unused = done.whenComplete((nothing, failure) -> {
            try {
                Throwable cause = failure == null ? null : failure.getCause();
                if (failure != null) {
                    answer.setErrorResult(cause == null ? failure : cause);
                } else {
                    answer.setResult(answer(id));
                }
            } catch (RuntimeException unreadable) {
                answer.setErrorResult(unreadable);
            }
        });
        return answer;
    }

    private ResponseEntity<ObjectNode> answer(String id) {
        StoredStudy study = studies.find(id);
        return answer(study.state().isOver() ? HttpStatus.OK : HttpStatus.ACCEPTED, study);
    }

    private ResponseEntity<ObjectNode> answer(HttpStatus status, StoredStudy study) {
        return ResponseEntity.status(status)
                .header(
                        HttpHeaders.LOCATION,
                        URI.create("/api/v1/studies/" + study.id()).toString())
                .body(studies.answer(study));
    }
}
