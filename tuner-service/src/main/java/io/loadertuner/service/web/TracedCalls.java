package io.loadertuner.service.web;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

/** Marks what is logged during a call, and its answer, with its {@link CallTrace}. */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE)
class TracedCalls extends OncePerRequestFilter {

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        String trace = CallTrace.of(request);
        response.setHeader(CallTrace.HEADER, trace);
        CallTrace.begin(trace);
        try {
            chain.doFilter(request, response);
        } finally {
            CallTrace.end();
        }
    }

    /** An answer that was waited for is written by another thread. */
    @Override
    protected boolean shouldNotFilterAsyncDispatch() {
        return false;
    }
}
