package io.loadertuner.service.page;

import io.loadertuner.service.study.StudyHistory;
import io.loadertuner.service.web.InvalidParameterException;
import java.util.List;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** {@code /compare}. */
@Controller
class CompareController {
    private final StudyHistory history;

    CompareController(StudyHistory history) {
        this.history = history;
    }

    @GetMapping("/compare")
    String compare(@RequestParam(name = "study", defaultValue = "") List<String> studies, Model model) {
        if (studies.size() < ComparePage.FEWEST || studies.size() > ComparePage.MOST) {
            throw new InvalidParameterException(
                    "study",
                    "choose %d to %d studies to compare, not %d"
                            .formatted(ComparePage.FEWEST, ComparePage.MOST, studies.size()));
        }
        model.addAttribute(
                "page", ComparePage.of(studies.stream().map(history::find).toList()));
        return "compare";
    }
}
