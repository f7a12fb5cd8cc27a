package io.loadertuner.service.schedule;

import io.loadertuner.service.web.Problem;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/** What can go wrong with schedules, as answers. */
@RestControllerAdvice
@Order(0)
class ScheduleProblems {

    @ExceptionHandler
    ResponseEntity<Problem> exists(ScheduleExistsException exists) {
        return Problem.of(
                        HttpStatus.CONFLICT,
                        "schedule-exists",
                        "There is such a schedule",
                        exists.getMessage() + "; change that one with PUT, or delete it first")
                .answer();
    }

    @ExceptionHandler
    ResponseEntity<Problem> busy(ScheduleBusyException busy) {
        return Problem.of(
                        HttpStatus.CONFLICT,
                        "schedule-busy",
                        "The schedule cannot run now",
                        busy.getMessage() + "; switch it on, or wait for the run's end")
                .answer();
    }
}
