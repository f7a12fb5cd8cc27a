package io.loadertuner.service.web;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerInterceptor;

/**
 * Refuses parameters that a call does not have, or has once: a filter that is misspelt must not look like one that found
 * everything, nor one of two as if both had been applied.
 */
final class KnownParameters implements HandlerInterceptor {
    private final Map<Method, Map<String, Boolean>> ofCalls = new ConcurrentHashMap<>();

    @Override
    public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler) {
        if (handler instanceof HandlerMethod method) {
            Map<String, Boolean> known = ofCalls.computeIfAbsent(method.getMethod(), call -> known(method));
            request.getParameterMap().forEach((given, values) -> {
                Boolean once = known.get(given);
                if (once == null) {
                    throw new InvalidParameterException(
                            given,
                            known.isEmpty()
                                    ? "is not known; this call has no parameters"
                                    : "is not known; this call has " + String.join(", ", known.keySet()));
                }
                if (once && values.length > 1) {
                    throw new InvalidParameterException(given, "is given " + values.length + " times; give it once");
                }
                if (Arrays.stream(values).anyMatch(value -> value.indexOf('\0') >= 0)) {
                    throw new InvalidParameterException(given, "has the character 0, which no text has");
                }
            });
        }
        return true;
    }

    /** Those that are bound to the call and those that it reads by itself, and whether each may be given once only. */
    private static Map<String, Boolean> known(HandlerMethod call) {
        Map<String, Boolean> known = new TreeMap<>();
        for (Parameter parameter : call.getMethod().getParameters()) {
            RequestParam given = AnnotatedElementUtils.getMergedAnnotation(parameter, RequestParam.class);
            if (given != null) {
                known.put(given.name(), !Collection.class.isAssignableFrom(parameter.getType()));
            }
        }
        CallParameters read = call.getMethodAnnotation(CallParameters.class);
        if (read != null) {
            Arrays.stream(read.value()).forEach(name -> known.put(name, true));
        }
        return known;
    }
}
