package io.loadertuner.service.contract;

import io.loadertuner.service.RunningService;
import io.loadertuner.service.web.CallParameters;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.io.Resource;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ValueConstants;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.RequestMappingInfoHandlerMapping;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/** A call that the running service answers, as Spring knows it. */
record ServedCall(HandlerMethod handler) {
    /** Spring Boot's own pages of the groups that there are. */
    private static final Map<String, List<String>> GROUPS =
            Map.of("/actuator/health/**", List.of("/actuator/health/liveness", "/actuator/health/readiness"));

    /** What is not for programs is the page. */
    private static final List<String> FOR_PROGRAMS = List.of("/api/", "/actuator/", "/client/");

    /** All there are for programs, by method and path. */
    static Map<String, ServedCall> of(RunningService service) {
        Map<String, ServedCall> calls = new TreeMap<>();
        Objects.requireNonNull(service.bean(DispatcherServlet.class).getHandlerMappings()).stream()
                .filter(RequestMappingInfoHandlerMapping.class::isInstance)
                .map(RequestMappingInfoHandlerMapping.class::cast)
                .forEach(mapping -> mapping.getHandlerMethods()
                        .forEach((info, handler) ->
                                names(info).forEach(name -> calls.put(name, new ServedCall(handler)))));
        return calls;
    }

    private static Stream<String> names(RequestMappingInfo info) {
        return info.getMethodsCondition().getMethods().stream()
                .flatMap(method -> info.getPatternValues().stream()
                        .filter(path -> FOR_PROGRAMS.stream().anyMatch(path::startsWith))
                        .flatMap(path -> GROUPS.getOrDefault(path, List.of(path)).stream())
                        .map(path -> method + " " + path));
    }

    /** Each as {@code query wait}, with {@code needed} behind those that must be given. */
    Set<String> parameters() {
        Set<String> parameters = new TreeSet<>();
        CallParameters read = handler.getMethodAnnotation(CallParameters.class);
        if (read != null) {
            List<String> needed = List.of(read.needed());
            Arrays.stream(read.value())
                    .forEach(name -> parameters.add("query " + name + (needed.contains(name) ? " needed" : "")));
        }
        Arrays.stream(handler.getMethod().getParameters()).forEach(parameter -> {
            RequestParam query = AnnotatedElementUtils.getMergedAnnotation(parameter, RequestParam.class);
            if (query != null) {
                boolean needed = query.required() && query.defaultValue().equals(ValueConstants.DEFAULT_NONE);
                parameters.add("query " + query.name() + (needed ? " needed" : ""));
            }
            RequestHeader header = AnnotatedElementUtils.getMergedAnnotation(parameter, RequestHeader.class);
            if (header != null) {
                parameters.add("header " + header.name() + (header.required() ? " needed" : ""));
            }
            PathVariable path = AnnotatedElementUtils.getMergedAnnotation(parameter, PathVariable.class);
            if (path != null) {
                parameters.add("path " + path.name() + " needed");
            }
        });
        return parameters;
    }

    Optional<Type> body() {
        return Arrays.stream(handler.getMethod().getParameters())
                .filter(parameter -> parameter.isAnnotationPresent(RequestBody.class))
                .map(parameter -> parameter.getParameterizedType())
                .findFirst();
    }

    /** What it answers with, out of what Spring wraps it in. */
    Type answer() {
        Type type = handler.getMethod().getGenericReturnType();
        while (type instanceof ParameterizedType wrapped
                && (wrapped.getRawType() == ResponseEntity.class || wrapped.getRawType() == DeferredResult.class)) {
            type = wrapped.getActualTypeArguments()[0];
        }
        return type;
    }

    static boolean isJson(Type answer) {
        return answer != String.class && answer != Resource.class && answer != SseEmitter.class && answer != Void.class;
    }
}
