package io.loadertuner.service.web;

import jakarta.servlet.http.HttpServletRequest;
import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/**
 * The id under which the log knows a call and its answer names it: that of the trace that the caller is in (W3C
 * {@code traceparent}), or a new one. Of that form, 32 hexadecimal digits, so that what collects logs joins both.
 */
final class CallTrace {
    static final String HEADER = "Trace-Id";
    /** As the Elastic Common Schema calls it. */
    private static final String LOGGED_AS = "trace.id";

    private static final String INSTANCES = "urn:loader-tuner:call:";
    private static final String ATTRIBUTE = CallTrace.class.getName();
    private static final String NO_TRACE = "0".repeat(32);
    private static final Pattern TRACEPARENT = Pattern.compile("(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-.*");

    private CallTrace() {}

    /** That of the call, the same each time it is asked for. */
    static String of(HttpServletRequest request) {
        if (request.getAttribute(ATTRIBUTE) instanceof String known) {
            return known;
        }
        String trace = ofCaller(request.getHeader("traceparent"));
        if (trace == null) {
            HexFormat hex = HexFormat.of();
            ThreadLocalRandom random = ThreadLocalRandom.current();
            trace = hex.toHexDigits(random.nextLong()) + hex.toHexDigits(random.nextLong());
        }
        request.setAttribute(ATTRIBUTE, trace);
        return trace;
    }

    private static @Nullable String ofCaller(@Nullable String traceparent) {
        Matcher named = TRACEPARENT.matcher(traceparent == null ? "" : traceparent);
        return named.matches() && !named.group(1).equals(NO_TRACE) ? named.group(1) : null;
    }

    /** From now on this thread works for the call. */
    static void begin(String trace) {
        MDC.put(LOGGED_AS, trace);
    }

    static void end() {
        MDC.remove(LOGGED_AS);
    }

    /** The call that this thread works for, as a problem's {@code instance}; null if it works for none. */
    static @Nullable String currentInstance() {
        String trace = MDC.get(LOGGED_AS);
        return trace == null ? null : instance(trace);
    }

    static String instance(String trace) {
        return INSTANCES + trace;
    }
}
