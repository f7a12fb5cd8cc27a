package io.loadertuner.service.page;

import io.loadertuner.core.study.TrialState;
import io.loadertuner.service.page.TrialFilter.Order;
import io.loadertuner.service.study.ShownStudy;
import io.loadertuner.service.study.StudyHistory;
import io.loadertuner.service.web.Choice;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;

/** {@code /studies/{id}} and its trials. */
@Controller
class StudyPageController {
    private static final String PAGE = "page";

    private final StudyHistory history;

    StudyPageController(StudyHistory history) {
        this.history = history;
    }

    @GetMapping("/studies/{id}")
    String study(
            @PathVariable("id") String id,
            @RequestParam(name = "outcome", defaultValue = "") String outcome,
            @RequestParam(name = "workers", required = false) @Nullable Integer workers,
            @RequestParam(name = "prefetch", required = false) @Nullable Integer prefetch,
            @RequestParam(name = "batch", required = false) @Nullable Integer batch,
            @RequestParam(name = "sort", defaultValue = "number") String sort,
            @RequestParam(name = "page", defaultValue = "1") int page,
            Model model) {
        ShownStudy study = history.find(id);
        TrialFilter filter = new TrialFilter(
                outcome.isEmpty() ? null : Choice.of("outcome", TrialState.class, outcome),
                workers,
                prefetch,
                batch,
                Choice.of("sort", Order.class, sort));
        Address asked = Address.of(StudiesController.PATH + "/" + id)
                .with("outcome", outcome)
                .with("workers", workers)
                .with("prefetch", prefetch)
                .with("batch", batch)
                .with("sort", filter.order() == Order.NUMBER ? null : sort);
        model.addAttribute(
                PAGE,
                StudyPage.of(
                        study,
                        TrialLine.of(id, history.trials(id), history.preparation(id), study.report()),
                        filter,
                        asked,
                        page));
        return "study";
    }

    @GetMapping("/studies/{id}/trials/{number}")
    String trial(
            @PathVariable("id") String id,
            @PathVariable("number") int number,
            @RequestParam(name = "round", required = false) @Nullable Integer round,
            Model model) {
        ShownStudy study = history.find(id);
        model.addAttribute(PAGE, TrialPage.of(study, history.trial(id, number), round));
        return "trial";
    }
}
