package io.loadertuner.service.security;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Shows the token of the page's cookie as any other caller shows theirs. Comes after the check against forged calls, which
 * regards whoever shows a header of their own as no browser that was led astray.
 */
final class CookieAsHeader extends OncePerRequestFilter {

    /** Where somebody logs in, a cookie that is good for nothing any more must not be in the way. */
    @Override
    protected boolean shouldNotFilter(HttpServletRequest request) {
        String path = request.getRequestURI();
        return path.equals("/login") || path.equals("/page/session") || path.startsWith("/assets/");
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        Optional<String> token = PageCookie.token(request);
        chain.doFilter(token.isPresent() ? new Shown(request, token.get()) : request, response);
    }

    private static final class Shown extends HttpServletRequestWrapper {
        private final String token;

        Shown(HttpServletRequest request, String token) {
            super(request);
            this.token = token;
        }

        @Override
        public @Nullable String getHeader(String name) {
            return HttpHeaders.AUTHORIZATION.equalsIgnoreCase(name) ? "Bearer " + token : super.getHeader(name);
        }
    }
}
