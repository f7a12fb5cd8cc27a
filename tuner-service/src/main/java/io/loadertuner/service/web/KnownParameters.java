package io.loadertuner.service.web;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Arrays;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerInterceptor;

/** Refuses parameters that a call does not have: a filter that is misspelt must not look like one that found everything. */
final class KnownParameters implements HandlerInterceptor {

    @Override
    public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler) {
        if (handler instanceof HandlerMethod method) {
            Set<String> known = known(method);
            for (String given : request.getParameterMap().keySet()) {
                if (!known.contains(given)) {
                    throw new InvalidParameterException(
                            given,
                            known.isEmpty()
                                    ? "is not known; this call has no parameters"
                                    : "is not known; this call has " + String.join(", ", known));
                }
            }
        }
        return true;
    }

    private static Set<String> known(HandlerMethod method) {
        return Arrays.stream(method.getMethodParameters())
                .map(parameter -> parameter.getParameterAnnotation(RequestParam.class))
                .filter(Objects::nonNull)
                .map(Objects::requireNonNull)
                .map(RequestParam::name)
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
