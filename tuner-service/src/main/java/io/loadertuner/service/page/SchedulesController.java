package io.loadertuner.service.page;

import io.loadertuner.service.machine.ThisMachine;
import io.loadertuner.service.schedule.RunAnswer;
import io.loadertuner.service.schedule.ScheduleAnswer;
import io.loadertuner.service.schedule.ScheduleService;
import io.loadertuner.service.store.JsonText;
import io.loadertuner.service.study.StudyHistory;
import io.loadertuner.service.web.Page;
import io.loadertuner.service.web.PageRequest;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;

/** {@code /schedules}: the list, one with its runs, and where a new one is made. */
@Controller
class SchedulesController {
    private static final String PATH = "/schedules";

    private final ScheduleService schedules;
    private final StudyHistory history;
    private final ThisMachine here;

    SchedulesController(ScheduleService schedules, StudyHistory history, ThisMachine here) {
        this.schedules = schedules;
        this.history = history;
        this.here = here;
    }

    @GetMapping(PATH)
    String list(
            @RequestParam(name = "cursor", required = false) @Nullable String cursor,
            @RequestParam(name = "limit", required = false) @Nullable String limit,
            Model model) {
        Page<ScheduleAnswer> page = schedules.list(PageRequest.of(cursor, limit));
        model.addAttribute("page", SchedulesPage.of(page));
        return "schedules";
    }

    @GetMapping(PATH + "/new")
    String make(@RequestParam(name = "like", required = false) @Nullable String like, Model model) {
        model.addAttribute(
                "page",
                SchedulePage.empty(like == null ? "" : history.find(like).requestJson(), here.type()));
        return "schedule";
    }

    @GetMapping(PATH + "/{id}")
    String one(
            @PathVariable("id") String id,
            @RequestParam(name = "cursor", required = false) @Nullable String cursor,
            @RequestParam(name = "limit", required = false) @Nullable String limit,
            Model model) {
        ScheduleAnswer schedule = schedules.find(id);
        Page<RunAnswer> runs = schedules.runs(id, PageRequest.of(cursor, limit));
        model.addAttribute("page", SchedulePage.of(schedule, runs, JsonText.pretty(schedule.study())));
        return "schedule";
    }
}
