package io.loadertuner.service.page;

import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** {@code /login}. */
@Controller
class LoginController {

    /** Afterwards the browser goes where it came from, if that is a page of this service. */
    @GetMapping("/login")
    String login(@RequestParam(name = "from", required = false) @Nullable String from, Model model) {
        boolean own = from != null && from.matches("/[A-Za-z0-9].*");
        model.addAttribute("next", own ? from : "/studies");
        return "login";
    }
}
