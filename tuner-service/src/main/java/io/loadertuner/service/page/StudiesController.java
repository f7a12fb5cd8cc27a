package io.loadertuner.service.page;

import io.loadertuner.core.measure.Throughput;
import io.loadertuner.core.tuning.StudyState;
import io.loadertuner.service.study.HistoryQuery;
import io.loadertuner.service.study.HistoryQuery.Order;
import io.loadertuner.service.study.ShownStudy;
import io.loadertuner.service.study.StudyHistory;
import io.loadertuner.service.web.Choice;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** {@code /studies}: the list, and where a new one is described. */
@Controller
class StudiesController {
    static final String PATH = "/studies";

    private final StudyHistory history;

    StudiesController(StudyHistory history) {
        this.history = history;
    }

    @GetMapping("/")
    String start() {
        return "redirect:" + PATH;
    }

    @GetMapping(PATH)
    String list(
            @RequestParam(name = "q", defaultValue = "") String text,
            @RequestParam(name = "state", defaultValue = "") String state,
            @RequestParam(name = "sort", defaultValue = "newest") String sort,
            @RequestParam(name = "page", defaultValue = "1") int page,
            Model model) {
        HistoryQuery query = new HistoryQuery(
                text.strip(),
                state.isEmpty() ? null : Choice.of("state", StudyState.class, state),
                Choice.of("sort", Order.class, sort),
                Math.max(1, page));
        Address asked = Address.of(PATH)
                .with("q", query.text())
                .with("state", state)
                .with("sort", query.order() == Order.NEWEST ? null : code(query.order()));
        int total = history.count(query);
        model.addAttribute("page", StudiesPage.of(history.list(query), this::bestSoFar, query, asked, total));
        return "studies";
    }

    @GetMapping(PATH + "/new")
    String describe(@RequestParam(name = "like", required = false) @Nullable String like, Model model) {
        model.addAttribute("json", like == null ? "" : history.find(like).requestJson());
        return "new";
    }

    private Optional<Throughput> bestSoFar(ShownStudy study) {
        return history.trials(study.id()).stream()
                .flatMap(trial -> trial.throughput().stream())
                .max(Comparator.comparingDouble(Throughput::samplesPerSecond));
    }

    private static String code(Order order) {
        return order.name().toLowerCase(Locale.ROOT);
    }
}
