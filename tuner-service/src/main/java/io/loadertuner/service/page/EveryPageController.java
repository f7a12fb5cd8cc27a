package io.loadertuner.service.page;

import io.loadertuner.service.security.Visitor;
import org.jspecify.annotations.Nullable;
import org.springframework.security.web.csrf.CsrfToken;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ModelAttribute;

/** What every page needs to know of whoever looks at it. */
@ControllerAdvice(basePackageClasses = EveryPageController.class)
class EveryPageController {
    static final String SHELL = "shell";

    private final Visitor visitor;

    EveryPageController(Visitor visitor) {
        this.visitor = visitor;
    }

    @ModelAttribute(SHELL)
    Shell shell(@Nullable CsrfToken csrf) {
        return shell(visitor, csrf);
    }

    static Shell shell(Visitor visitor, @Nullable CsrfToken csrf) {
        return new Shell(
                visitor.name().orElse(null),
                visitor.mayLaunch(),
                visitor.mayOperate(),
                csrf == null ? null : csrf.getToken());
    }
}
