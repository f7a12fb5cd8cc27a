package io.loadertuner.service.page;

import io.loadertuner.service.machine.MachineTypeStore;
import io.loadertuner.service.machine.ThisMachine;
import io.loadertuner.service.recommendation.MadeRecommendationStore;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** {@code /machines}. */
@Controller
class MachinesController {
    private static final String PATH = "/machines";

    private final MachineTypeStore types;
    private final ThisMachine here;
    private final MadeRecommendationStore recommendations;

    MachinesController(MachineTypeStore types, ThisMachine here, MadeRecommendationStore recommendations) {
        this.types = types;
        this.here = here;
        this.recommendations = recommendations;
    }

    @GetMapping(PATH)
    String machines(
            @RequestParam(name = "q", defaultValue = "") String text,
            @RequestParam(name = "page", defaultValue = "1") int page,
            Model model) {
        String searched = text.strip();
        int here = Math.max(1, page);
        model.addAttribute(
                "page",
                MachinesPage.of(
                        types.all(),
                        this.here.type(),
                        recommendations.page(searched, here, MachinesPage.PAGE_SIZE, MachinesPage.MOST_EARLIER),
                        searched,
                        Address.of(PATH).with("q", searched),
                        here,
                        recommendations.subjects(searched)));
        return "machines";
    }
}
