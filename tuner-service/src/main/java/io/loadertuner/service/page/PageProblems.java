package io.loadertuner.service.page;

import io.loadertuner.service.security.Visitor;
import io.loadertuner.service.web.InvalidParameterException;
import io.loadertuner.service.web.NotFoundException;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatus;
import org.springframework.security.web.csrf.CsrfToken;
import org.springframework.security.web.firewall.RequestRejectedException;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.method.annotation.MethodArgumentTypeMismatchException;
import org.springframework.web.servlet.ModelAndView;

/** What can go wrong with a page, as a page. */
@ControllerAdvice(basePackageClasses = PageProblems.class)
@Order(Ordered.HIGHEST_PRECEDENCE)
class PageProblems {
    private static final Logger log = LoggerFactory.getLogger(PageProblems.class);

    private final Visitor visitor;

    PageProblems(Visitor visitor) {
        this.visitor = visitor;
    }

    @ExceptionHandler
    ModelAndView unknown(NotFoundException unknown, @Nullable CsrfToken csrf) {
        return page(HttpStatus.NOT_FOUND, "Not found", text(unknown), csrf);
    }

    @ExceptionHandler
    ModelAndView invalid(InvalidParameterException invalid, @Nullable CsrfToken csrf) {
        return page(HttpStatus.BAD_REQUEST, "The address cannot be understood", text(invalid), csrf);
    }

    @ExceptionHandler
    ModelAndView mistyped(MethodArgumentTypeMismatchException mistyped, @Nullable CsrfToken csrf) {
        String told = mistyped.getName() + ": '" + mistyped.getValue() + "' is no whole number";
        return page(HttpStatus.BAD_REQUEST, "The address cannot be understood", told, csrf);
    }

    @ExceptionHandler
    ModelAndView rejected(RequestRejectedException rejected, @Nullable CsrfToken csrf) {
        String told = "it has characters that no address can have";
        return page(HttpStatus.BAD_REQUEST, "The address cannot be understood", told, csrf);
    }

    @ExceptionHandler
    ModelAndView other(Exception other, @Nullable CsrfToken csrf) {
        String id = UUID.randomUUID().toString();
        log.error("Unexpected error {}", id, other);
        return page(
                HttpStatus.INTERNAL_SERVER_ERROR,
                "Unexpected error",
                "the service failed at this page; its log tells more under the id " + id,
                csrf);
    }

    private ModelAndView page(HttpStatus status, String title, String told, @Nullable CsrfToken csrf) {
        ModelAndView page = new ModelAndView(
                "problem",
                Map.of(
                        EveryPageController.SHELL,
                        EveryPageController.shell(visitor, csrf),
                        "title",
                        title,
                        "told",
                        told));
        page.setStatus(status);
        return page;
    }

    private static String text(Exception exception) {
        return String.valueOf(exception.getMessage());
    }
}
