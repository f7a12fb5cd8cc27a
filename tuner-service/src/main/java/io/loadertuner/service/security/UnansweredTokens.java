package io.loadertuner.service.security;

import io.loadertuner.service.web.Problem;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.http.HttpStatus;
import org.springframework.security.authentication.AuthenticationServiceException;
import org.springframework.security.oauth2.jwt.JwtDecoderInitializationException;
import org.springframework.web.filter.OncePerRequestFilter;

/** Says so where whoever knows tokens, the database or the issuer, gives no answer. */
final class UnansweredTokens extends OncePerRequestFilter {
    private static final Logger log = LoggerFactory.getLogger(UnansweredTokens.class);

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        try {
            chain.doFilter(request, response);
        } catch (AuthenticationServiceException | DataAccessException | JwtDecoderInitializationException unanswered) {
            problem(unanswered).writeTo(response);
        }
    }

    static Problem problem(Exception unanswered) {
        log.error("A token cannot be looked up", unanswered);
        return Problem.of(
                HttpStatus.SERVICE_UNAVAILABLE,
                "tokens-unavailable",
                "The token cannot be looked up",
                "the database or the issuer of the token does not answer; try again later");
    }
}
