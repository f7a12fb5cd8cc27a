package io.loadertuner.service.security;

import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseCookie;

/**
 * The cookie by which a browser shows a token. It is the token itself, so that every replica knows it and one that is revoked is
 * good for nothing from then on; scripts cannot read it, and it goes with the browser's session.
 */
final class PageCookie {
    static final String NAME = "loader-tuner-token";

    private PageCookie() {}

    /** What the browser shows; empty where the call shows a token by itself. */
    static Optional<String> token(HttpServletRequest request) {
        Cookie[] cookies = request.getCookies();
        if (cookies == null || request.getHeader(HttpHeaders.AUTHORIZATION) != null) {
            return Optional.empty();
        }
        return Arrays.stream(cookies)
                .filter(cookie -> cookie.getName().equals(NAME))
                .map(Cookie::getValue)
                .filter(value -> !value.isEmpty())
                .findFirst();
    }

    static ResponseCookie of(String token, HttpServletRequest request) {
        return cookie(token, request).build();
    }

    static ResponseCookie gone(HttpServletRequest request) {
        return cookie("", request).maxAge(0).build();
    }

    private static ResponseCookie.ResponseCookieBuilder cookie(String value, HttpServletRequest request) {
        return ResponseCookie.from(NAME, value)
                .httpOnly(true)
                .sameSite("Lax")
                .secure(isOverTls(request))
                .path("/");
    }

    /** What ends TLS before this service does not say so, but the browser does: calls that change something have an origin. */
    private static boolean isOverTls(HttpServletRequest request) {
        String origin = request.getHeader(HttpHeaders.ORIGIN);
        return request.isSecure()
                || (origin != null && origin.toLowerCase(Locale.ROOT).startsWith("https:"));
    }
}
