package io.loadertuner.service.web;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerInterceptor;

/**
 * Refuses parameters that a call does not have, or has once: a filter that is misspelt must not look like one that found
 * everything, nor one of two as if both had been applied.
 */
final class KnownParameters implements HandlerInterceptor {
    private final Map<Method, Set<String>> ofCalls = new ConcurrentHashMap<>();

    @Override
    public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler) {
        if (handler instanceof HandlerMethod method) {
            Set<String> known = ofCalls.computeIfAbsent(method.getMethod(), call -> known(method));
            request.getParameterMap().forEach((given, values) -> {
                if (!known.contains(given)) {
                    throw new InvalidParameterException(
                            given,
                            known.isEmpty()
                                    ? "is not known; this call has no parameters"
                                    : "is not known; this call has " + String.join(", ", known));
                }
                if (values.length > 1) {
                    throw new InvalidParameterException(given, "is given " + values.length + " times; give it once");
                }
            });
        }
        return true;
    }

    /** Those of the call and those of what its controller reads for all its calls. */
    private static Set<String> known(HandlerMethod call) {
        Stream<Method> shared = Arrays.stream(call.getBeanType().getDeclaredMethods())
                .filter(method -> method.isAnnotationPresent(ModelAttribute.class));
        return Stream.concat(Stream.of(call.getMethod()), shared)
                .flatMap(method -> Arrays.stream(method.getParameters()))
                .map(parameter -> AnnotatedElementUtils.getMergedAnnotation(parameter, RequestParam.class))
                .filter(Objects::nonNull)
                .map(Objects::requireNonNull)
                .map(RequestParam::name)
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
