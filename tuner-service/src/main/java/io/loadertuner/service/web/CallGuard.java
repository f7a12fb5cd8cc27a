package io.loadertuner.service.web;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.InvalidMediaTypeException;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Lets only calls through that no web page elsewhere can make. A page cannot choose the {@code Host} that a browser sends,
 * so a foreign one is a name that was made to point here; it cannot hide its {@code Origin}; and without asking first, which
 * is refused, it cannot send JSON. Where tokens are needed any host will do: a page elsewhere has none to show, as the
 * cookie that one of this service has is sent to the host name alone that it was set for.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE + 1)
class CallGuard extends OncePerRequestFilter {
    private static final Pattern OWN_HOST =
            Pattern.compile("(localhost|127\\.0\\.0\\.1|\\[::1\\])(:\\d{1,5})?", Pattern.CASE_INSENSITIVE);
    private static final Set<String> CHANGE_NOTHING = Set.of("GET", "HEAD", "OPTIONS");

    private static final List<String> CALLED_BY_PROGRAMS = List.of("/api/", "/actuator/", "/client/");
    private static final String POLICY = "Content-Security-Policy";
    private static final String POLICY_OF_PAGES =
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self';"
                    + " form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

    private final Exposure exposure;

    CallGuard(Exposure exposure) {
        this.exposure = exposure;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        secure(response);
        if (CALLED_BY_PROGRAMS.stream().noneMatch(request.getRequestURI()::startsWith)) {
            response.setHeader(POLICY, POLICY_OF_PAGES);
            response.setHeader("Referrer-Policy", "same-origin");
        }
        Optional<Problem> problem = problem(request);
        if (problem.isPresent()) {
            problem.get().writeTo(response);
        } else {
            chain.doFilter(new LimitedBody(request), response);
        }
    }

    static void secure(HttpServletResponse response) {
        response.setHeader("X-Content-Type-Options", "nosniff");
        response.setHeader(POLICY, "default-src 'none'; frame-ancestors 'none'");
        response.setHeader(HttpHeaders.CACHE_CONTROL, "no-store");
    }

    private Optional<Problem> problem(HttpServletRequest request) {
        String host = request.getHeader(HttpHeaders.HOST);
        if (exposure.isOpen() && (host == null || !OWN_HOST.matcher(host).matches())) {
            return Optional.of(Problem.of(
                    HttpStatus.MISDIRECTED_REQUEST,
                    "foreign-host",
                    "Foreign host",
                    "this service answers only under localhost, 127.0.0.1 and [::1]"));
        }
        String origin = request.getHeader(HttpHeaders.ORIGIN);
        if (origin != null && !isOwn(origin, host)) {
            return Optional.of(Problem.of(
                    HttpStatus.FORBIDDEN,
                    "foreign-origin",
                    "Foreign origin",
                    "web pages from elsewhere may not call this service"));
        }
        if (request.getContentLengthLong() > BodyTooLargeException.MOST_BYTES) {
            return Optional.of(BodyTooLargeException.problem());
        }
        Optional<MediaType> type = mediaType(request.getContentType());
        if (!CHANGE_NOTHING.contains(request.getMethod())
                && type.filter(MediaType.APPLICATION_JSON::equalsTypeAndSubtype).isEmpty()) {
            return Optional.of(StatusProblems.of(HttpStatus.UNSUPPORTED_MEDIA_TYPE));
        }
        // Whatever reads the headers later would fail at it.
        return type.isEmpty() && request.getContentType() != null
                ? Optional.of(StatusProblems.of(HttpStatus.BAD_REQUEST))
                : Optional.empty();
    }

    /** Who ends TLS before this service hands on the host that was called, and not how. */
    private boolean isOwn(String origin, @Nullable String host) {
        return origin.equalsIgnoreCase("http://" + host)
                || (!exposure.isOpen() && origin.equalsIgnoreCase("https://" + host));
    }

    /** Empty for none, and for what is none of a body: {@code *}{@code /*}, nonsense. */
    private static Optional<MediaType> mediaType(@Nullable String contentType) {
        if (contentType == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(MediaType.parseMediaType(contentType)).filter(MediaType::isConcrete);
        } catch (InvalidMediaTypeException malformed) {
            return Optional.empty();
        }
    }
}
