package io.loadertuner.service.schedule;

import io.loadertuner.service.web.Page;
import io.loadertuner.service.web.PageRequest;
import java.net.URI;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** {@code /api/v1/schedules}. */
@RestController
@RequestMapping(path = "/api/v1/schedules", produces = MediaType.APPLICATION_JSON_VALUE)
class ScheduleController {
    private final ScheduleService schedules;

    ScheduleController(ScheduleService schedules) {
        this.schedules = schedules;
    }

    @PostMapping(consumes = MediaType.APPLICATION_JSON_VALUE)
    ResponseEntity<ScheduleAnswer> add(@RequestBody ScheduleRequest request) {
        ScheduleAnswer added = schedules.add(request);
        return ResponseEntity.created(URI.create("/api/v1/schedules/" + added.id()))
                .body(added);
    }

    @GetMapping
    Page<ScheduleAnswer> list(
            @RequestParam(name = "cursor", required = false) @Nullable String cursor,
            @RequestParam(name = "limit", required = false) @Nullable String limit) {
        return schedules.list(PageRequest.of(cursor, limit));
    }

    @GetMapping("/{id}")
    ScheduleAnswer find(@PathVariable("id") String id) {
        return schedules.find(id);
    }

    @PutMapping(path = "/{id}", consumes = MediaType.APPLICATION_JSON_VALUE)
    ScheduleAnswer change(@PathVariable("id") String id, @RequestBody ScheduleRequest request) {
        return schedules.change(id, request);
    }

    @DeleteMapping("/{id}")
    ResponseEntity<Void> delete(@PathVariable("id") String id) {
        schedules.delete(id);
        return ResponseEntity.noContent().build();
    }

    @GetMapping("/{id}/runs")
    Page<RunAnswer> runs(
            @PathVariable("id") String id,
            @RequestParam(name = "cursor", required = false) @Nullable String cursor,
            @RequestParam(name = "limit", required = false) @Nullable String limit) {
        return schedules.runs(id, PageRequest.of(cursor, limit));
    }

    /** Needs the content type of JSON, as every call that changes something, though it needs no body. */
    @PostMapping(path = "/{id}/run", consumes = MediaType.APPLICATION_JSON_VALUE)
    ResponseEntity<ScheduleAnswer> run(@PathVariable("id") String id) {
        return ResponseEntity.accepted().body(schedules.run(id));
    }
}
