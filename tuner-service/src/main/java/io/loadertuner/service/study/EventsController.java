package io.loadertuner.service.study;

import io.loadertuner.service.web.InvalidParameterException;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/** {@code /api/v1/studies/{id}/events}. */
@RestController
class EventsController {
    private static final String LAST_EVENT_ID = "Last-Event-ID";
    private static final long NO_TIMEOUT = 0;

    private final StudyEvents events;

    EventsController(StudyEvents events) {
        this.events = events;
    }

    /** {@code trial_started}, {@code trial_finished}, {@code trial_sharpened} and {@code study_finished}. */
    @GetMapping(path = "/api/v1/studies/{id}/events", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
    ResponseEntity<SseEmitter> events(
            @PathVariable("id") String id,
            @RequestHeader(name = LAST_EVENT_ID, required = false) @Nullable String lastEventId) {
        if (lastEventId != null && !lastEventId.matches("\\d{1,18}")) {
            throw new InvalidParameterException(
                    LAST_EVENT_ID, "must be the id of an event of this study, but is '" + lastEventId + "'");
        }
        SseEmitter emitter = new SseEmitter(NO_TIMEOUT);
        Optional<Follower> follower =
                events.follow(id, lastEventId == null ? 0 : Long.parseLong(lastEventId), new Sent(emitter));
        follower.ifPresent(one -> {
            emitter.onCompletion(() -> events.leave(one));
            emitter.onError(gone -> events.leave(one));
        });
        // No content is how a browser is told not to connect again.
        return follower.isPresent()
                ? ResponseEntity.ok(emitter)
                : ResponseEntity.noContent().build();
    }

    private record Sent(SseEmitter emitter) implements EventStream {
        @Override
        public void send(long id, String kind, String json) throws IOException {
            emitter.send(SseEmitter.event().id(String.valueOf(id)).name(kind).data(json, MediaType.TEXT_PLAIN));
        }

        @Override
        public void sendSignOfLife() throws IOException {
            emitter.send(SseEmitter.event().comment(""));
        }

        @Override
        public void end() {
            emitter.complete();
        }
    }
}
