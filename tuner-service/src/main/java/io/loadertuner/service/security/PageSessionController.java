package io.loadertuner.service.security;

import io.loadertuner.service.web.Problem;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.security.authentication.AuthenticationManagerResolver;
import org.springframework.security.authentication.AuthenticationServiceException;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.oauth2.jwt.JwtDecoderInitializationException;
import org.springframework.security.oauth2.server.resource.authentication.BearerTokenAuthenticationToken;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** {@code /page/session}: a browser logs in and out. */
@RestController
class PageSessionController {
    private static final String SESSION = "/page/session";

    private final AuthenticationManagerResolver<String> whoKnows;

    PageSessionController(AuthenticationManagerResolver<String> whoKnows) {
        this.whoKnows = whoKnows;
    }

    /** The token to log in with. */
    record LogIn(@Nullable String token) {}

    @PostMapping(path = SESSION, consumes = MediaType.APPLICATION_JSON_VALUE)
    ResponseEntity<?> logIn(@RequestBody LogIn shown, HttpServletRequest request) {
        String token = shown.token() == null ? "" : shown.token().strip();
        boolean good;
        try {
            good = token.matches("[!-~]{1,4000}") && isGood(token);
        } catch (AuthenticationServiceException | JwtDecoderInitializationException unanswered) {
            return UnansweredTokens.problem(unanswered).answer();
        }
        if (!good) {
            return Problem.of(
                            HttpStatus.UNAUTHORIZED,
                            "unauthenticated",
                            "A token is needed",
                            "this token is not known here, or was revoked")
                    .answer();
        }
        return ResponseEntity.noContent()
                .header(HttpHeaders.SET_COOKIE, PageCookie.of(token, request).toString())
                .build();
    }

    @DeleteMapping(path = SESSION, consumes = MediaType.APPLICATION_JSON_VALUE)
    ResponseEntity<Void> logOut(HttpServletRequest request) {
        return ResponseEntity.noContent()
                .header(HttpHeaders.SET_COOKIE, PageCookie.gone(request).toString())
                .build();
    }

    private boolean isGood(String token) {
        try {
            whoKnows.resolve(token).authenticate(new BearerTokenAuthenticationToken(token));
            return true;
        } catch (AuthenticationServiceException unanswered) {
            throw unanswered;
        } catch (AuthenticationException refused) {
            return false;
        }
    }
}
