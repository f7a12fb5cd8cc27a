package io.loadertuner.service.security;

import io.loadertuner.core.dataset.DatasetDescriptor;
import io.loadertuner.core.space.InvalidFieldException;
import java.net.URI;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/** {@code /api/v1/tokens}. */
@RestController
@RequestMapping(path = "/api/v1/tokens", produces = MediaType.APPLICATION_JSON_VALUE)
class TokenController {
    private final Tokens tokens;

    TokenController(Tokens tokens) {
        this.tokens = tokens;
    }

    /** What a token is to be. */
    record Wanted(String name, Role role) {
        Wanted {
            DatasetDescriptor.requireName("name", name);
            if (role == null) {
                throw new InvalidFieldException("role", "is missing; it is viewer, launcher or operator");
            }
        }
    }

    /**
     * A token as answered.
     *
     * @param token what is to be shown; told once, when it is made
     */
    record Told(
            String id,
            String name,
            Role role,
            Instant madeAt,
            @Nullable Instant revokedAt,
            @Nullable String token) {
        static Told of(AccessToken known, @Nullable String text) {
            return new Told(known.id(), known.name(), known.role(), known.madeAt(), known.revokedAt(), text);
        }
    }

    record All(List<Told> items) {}

    @PostMapping(consumes = MediaType.APPLICATION_JSON_VALUE)
    ResponseEntity<Told> make(@RequestBody Wanted wanted) {
        Tokens.Made made = tokens.make(wanted.name(), wanted.role());
        return ResponseEntity.created(
                        URI.create("/api/v1/tokens/" + made.token().id()))
                .body(Told.of(made.token(), made.text().text()));
    }

    @GetMapping
    All all() {
        return new All(tokens.all().stream().map(token -> Told.of(token, null)).toList());
    }

    @DeleteMapping("/{id}")
    ResponseEntity<Void> revoke(@PathVariable("id") String id) {
        if (!tokens.revoke(id)) {
            throw new ResponseStatusException(HttpStatus.NOT_FOUND);
        }
        return ResponseEntity.noContent().build();
    }
}
