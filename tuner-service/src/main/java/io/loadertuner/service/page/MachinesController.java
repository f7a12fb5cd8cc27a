package io.loadertuner.service.page;

import io.loadertuner.service.machine.MachineTypeStore;
import io.loadertuner.service.machine.ThisMachine;
import io.loadertuner.service.recommendation.MadeRecommendationStore;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;

/** {@code /machines}. */
@Controller
class MachinesController {
    private final MachineTypeStore types;
    private final ThisMachine here;
    private final MadeRecommendationStore recommendations;

    MachinesController(MachineTypeStore types, ThisMachine here, MadeRecommendationStore recommendations) {
        this.types = types;
        this.here = here;
        this.recommendations = recommendations;
    }

    @GetMapping("/machines")
    String machines(Model model) {
        model.addAttribute(
                "page",
                MachinesPage.of(types.all(), here.type(), recommendations.newest(MachinesPage.MOST_RECOMMENDATIONS)));
        return "machines";
    }
}
