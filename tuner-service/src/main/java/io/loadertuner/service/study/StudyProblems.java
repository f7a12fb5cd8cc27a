package io.loadertuner.service.study;

import io.loadertuner.core.loader.TrialFailedException;
import io.loadertuner.core.loader.TrialFailure;
import io.loadertuner.service.web.Problem;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/** What can go wrong with studies, as answers. */
@RestControllerAdvice
@Order(0)
class StudyProblems {
    private static final String SECONDS_UNTIL_ANOTHER_TRY = "30";

    @ExceptionHandler
    ResponseEntity<Problem> over(StudyOverException over) {
        return Problem.of(
                        HttpStatus.CONFLICT,
                        "study-over",
                        "The study is over",
                        text(over) + "; only a queued or running study can be cancelled")
                .answer();
    }

    @ExceptionHandler
    ResponseEntity<Problem> notRetried(RetryRefusedException refused) {
        return Problem.of(
                        HttpStatus.CONFLICT, refused.why().type(), refused.why().title(), text(refused))
                .answer();
    }

    @ExceptionHandler
    ResponseEntity<Problem> reused(IdempotencyKeyReusedException reused) {
        return Problem.of(
                        HttpStatus.UNPROCESSABLE_CONTENT,
                        "idempotency-key-reused",
                        "The idempotency key was used before",
                        text(reused) + "; a key of its own is needed for each study")
                .at("Idempotency-Key")
                .answer();
    }

    @ExceptionHandler
    ResponseEntity<Problem> busy(MachineBusyException busy) {
        HttpHeaders later = new HttpHeaders();
        later.set(HttpHeaders.RETRY_AFTER, SECONDS_UNTIL_ANOTHER_TRY);
        return Problem.of(
                        HttpStatus.SERVICE_UNAVAILABLE,
                        "machine-busy",
                        "The machine is busy",
                        text(busy) + ", and a check beside it would disturb the measurement; try again later")
                .answer(later);
    }

    @ExceptionHandler
    ResponseEntity<Problem> tooMany(TooManyStudiesException tooMany) {
        HttpHeaders later = new HttpHeaders();
        later.set(
                HttpHeaders.RETRY_AFTER,
                String.valueOf(tooMany.untilAnother().plusMillis(999).toSeconds()));
        return Problem.of(HttpStatus.TOO_MANY_REQUESTS, "too-many-studies", "Too many studies", text(tooMany))
                .answer(later);
    }

    @ExceptionHandler
    ResponseEntity<Problem> tooMany(TooManyFollowersException tooMany) {
        HttpHeaders later = new HttpHeaders();
        later.set(HttpHeaders.RETRY_AFTER, SECONDS_UNTIL_ANOTHER_TRY);
        return Problem.of(HttpStatus.SERVICE_UNAVAILABLE, "too-many-followers", "Too many followers", text(tooMany))
                .answer(later);
    }

    @ExceptionHandler
    ResponseEntity<Problem> refused(CallerRefusedException refused) {
        return Problem.of(HttpStatus.FORBIDDEN, "forbidden", "The token's role does not allow this", text(refused))
                .answer();
    }

    @ExceptionHandler
    ResponseEntity<Problem> failed(TrialFailedException failed) {
        TrialFailure failure = failed.failure();
        return Problem.of(
                        HttpStatus.UNPROCESSABLE_CONTENT,
                        "descriptor-failed",
                        "The descriptor cannot be used",
                        failure.message() + ". " + failure.advice())
                .with(failure)
                .answer();
    }

    private static String text(Exception exception) {
        return String.valueOf(exception.getMessage());
    }
}
