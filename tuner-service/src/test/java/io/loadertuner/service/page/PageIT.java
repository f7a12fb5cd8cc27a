package io.loadertuner.service.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.loadertuner.service.InstantLoader;
import io.loadertuner.service.RunningService;
import io.loadertuner.service.ServiceCalls.Answer;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page as a person uses it, in a real browser against the whole service. */
class PageIT {
    @TempDir
    static Path home;

    private static RunningService service;
    private static Browser browser;

    @BeforeAll
    static void start() {
        service = RunningService.start(home, new InstantLoader());
        browser = Browser.open(service.calls().base());
    }

    @AfterAll
    static void stop() {
        if (browser != null) {
            browser.close();
        }
        service.close();
    }

    @BeforeEach
    void allow() {
        service.loader().allowAll();
    }

    @AfterEach
    void theConsoleIsFreeOfErrors() {
        assertThat(browser.complaints()).isEmpty();
    }

    @Test
    void aStudyIsDescribedWatchedToItsEndAndItsAnswerTakenAway() {
        service.loader().allowRounds(4);
        browser.visit("/studies/new");
        browser.requireAccessible();
        browser.type("#name", "from-the-form");
        browser.choose("#kind", "synthetic");
        browser.type("#batch-sizes", "32");
        browser.type("#workers", "0, 1, 2");
        browser.type("#prefetches", "2");
        browser.press("#describe [type=submit]");
        String address = browser.awaitAddress("/studies/[0-9a-f-]{36}");
        String id = address.substring("/studies/".length());

        browser.read("#connection", "live");
        browser.read("#live h2", "Measuring");
        browser.read("#live", "left at most");
        browser.requireAccessible();
        service.loader().allowAll();
        browser.read("#answer h2", "Use 2 workers");

        // 500 samples/s without workers, 1,500 with two, by construction.
        assertThat(browser.texts("#answer .figures dd strong").subList(0, 2)).containsExactly("1,500/s", "500/s");
        assertThat(browser.texts("#answer .gain")).containsExactly("+200 %");
        assertThat(browser.texts("#live section")).isEmpty();
        assertThat(browser.texts("#connection")).isEmpty();
        Answer study = service.study(id);
        assertThat(study.body().at("/recommendation/config/num_workers").asInt())
                .isEqualTo(2);
        browser.requireAccessible();

        browser.driver()
                .executeCdpCommand(
                        "Browser.grantPermissions",
                        Map.of("permissions", List.of("clipboardReadWrite", "clipboardSanitizedWrite")));
        browser.press("#tab-yaml");
        browser.press("#snippet-yaml .copy");
        browser.read("#snippet-yaml .copy", "Copied");
        Object copied = browser.driver()
                .executeAsyncScript("navigator.clipboard.readText().then(arguments[arguments.length - 1])");
        assertThat(copied.toString()).contains("num_workers: 2\n").contains("# from-the-form on test-machine");
    }

    @Test
    void aSettingIsPlottedAroundTheAnswer() {
        String id = done("plotted");
        browser.visit("/studies/" + id);

        List<String> said = browser.attributes("#plot-setting-num_workers .mark", "data-tip");
        assertThat(said)
                .anyMatch(tip -> tip.contains("2 workers") && tip.contains("recommended") && tip.contains("1,500/s"))
                .anyMatch(tip -> tip.contains("0 workers") && tip.contains("baseline") && tip.contains("500/s"))
                .anyMatch(
                        tip -> tip.contains("1 worker,") && tip.contains("1,000/s") && tip.contains("worse: dropped"));
        assertThat(browser.texts("#plot-setting-num_workers text.x:not(.label)"))
                .containsExactly("0", "1", "2");
        // What is said of a mark is shown to whoever comes to it by keyboard, too.
        browser.run("document.querySelector('#plot-setting-num_workers .mark-chosen').focus()");
        browser.read(".tip", "recommended");
    }

    @Test
    void trialsAreFilteredInTheAddressAndOneIsOpened() {
        String id = done("filtered");
        browser.visit("/studies/" + id);
        browser.choose("#workers", "1");

        assertThat(browser.awaitAddress("/studies/" + id + "\\?workers=1")).isNotEmpty();
        assertThat(browser.texts("#trials tbody td:nth-child(2)")).isNotEmpty().containsOnly("1");
        assertThat(browser.texts("#plot-best-so-far .mark")).hasSize(1);
        browser.visit("/studies/" + id + "?sort=throughput");
        assertThat(browser.texts("#trials tbody td:nth-child(2)")).containsExactly("2", "1", "0");

        browser.press("#trials tbody th a");
        browser.awaitAddress("/studies/" + id + "/trials/\\d+");
        assertThat(browser.see("h1").getText()).contains("2 workers, prefetch 2, batch 32");
        browser.see("#plot-batches .area-batch");
        browser.requireAccessible();
        assertThat(browser.see(".log").getText()).contains("2 workers, prefetch 2, batch 32");
    }

    @Test
    void allSettingsAreSeenTogetherAndWhatEachTrialTook() {
        String id = service.post("""
                {"name": "together", "source": {"kind": "synthetic", "samples": 10000},
                 "space": {"num_workers": [0, 1, 2], "prefetch_factor": [2], "batch_size": [32, 64]}}""");
        service.awaitState(id, "completed");
        browser.visit("/studies/" + id);

        int trials = browser.texts("#trials tbody th").size();
        assertThat(browser.texts("#plot-coordinates .grid text"))
                .containsExactly("num_workers", "batch_size", "samples/s");
        assertThat(browser.attributes("#plot-coordinates .thread", "aria-label"))
                .hasSize(trials)
                .last()
                .asString()
                .contains("2 workers", "recommended");
        assertThat(browser.attributes("#plot-costs rect", "data-tip"))
                .hasSize(trials)
                .allMatch(tip -> tip.contains("; took "));
        browser.requireAccessible();

        // Every round of this loader holds 100,000,000 bytes, of which 1,000,000 are shared.
        browser.visit("/studies/" + id + "/trials/1");
        assertThat(browser.attributes("#plot-memory-over-time .mark", "data-tip"))
                .contains("Round 1: 95.4 MiB host memory", "Round 2: 977 KiB of it shared memory");
        browser.requireAccessible();
        browser.visit("/studies/" + done("alone"));
        assertThat(browser.texts("#plot-coordinates")).isEmpty();
    }

    @Test
    void whoAsksAgainBecauseNoAnswerCameGetsTheOneStudyThereIs() {
        browser.visit("/studies/new");
        browser.press("[value=json]");
        browser.run("document.getElementById('json').value = arguments[0]", RunningService.descriptor("asked-twice"));
        browser.run("""
                const real = window.fetch;
                window.fetch = async (...asked) => { await real(...asked); window.fetch = real; throw new TypeError("lost"); };
                """);
        browser.press("#describe [type=submit]");
        browser.read("#checked", "whether it took this is not known");
        browser.press("#describe [type=submit]");
        browser.awaitAddress("/studies/[0-9a-f-]{36}");

        browser.visit("/studies?q=asked-twice");
        assertThat(browser.texts("#list tbody th a")).containsExactly("asked-twice");
    }

    @Test
    void whatIsTickedStaysTickedWhileTheListChanges() {
        String ticked = done("ticked");
        service.loader().allowRounds(2);
        String running = service.post(RunningService.descriptor("running"));
        browser.visit("/studies");
        browser.press("input[value='" + ticked + "']");
        service.loader().allowAll();
        service.awaitState(running, "completed");

        browser.read("#row-" + running, "completed");
        assertThat(browser.run("return document.querySelector('input[value=\"" + ticked + "\"]').checked"))
                .isEqualTo(true);
        assertThat(browser.run("return document.querySelectorAll('input:checked').length"))
                .isEqualTo(1L);
    }

    @Test
    void recommendationsAreSearched() {
        done("searched-street");
        done("searched-street");
        done("searched-road");
        browser.visit("/machines?q=ED-STREET");

        assertThat(browser.texts("[aria-label='Table of recommendations'] > table > tbody > tr > th"))
                .hasSize(1)
                .first()
                .asString()
                .startsWith("searched-street");
        assertThat(browser.see("[aria-label='Table of recommendations'] summary")
                        .getText())
                .startsWith("1");
        browser.visit("/machines?q=nothing-like-it");
        assertThat(browser.see("#main").getText()).contains("Nothing recommended is like that");
        browser.requireAccessible();
    }

    @Test
    void aRunningStudyIsCancelled() {
        service.loader().allowRounds(2);
        String id = service.post(RunningService.descriptor("to-cancel"));
        browser.visit("/studies/" + id);
        browser.press("[data-post$='/cancel']");
        browser.agree();

        browser.read("#live h2", "Cancelled");
        assertThat(service.study(id).text("state")).isEqualTo("cancelled");
        browser.requireAccessible();
    }

    @Test
    void aFailureSaysWhyAndWhatToDo() {
        String broken = service.post(RunningService.descriptor(InstantLoader.BROKEN));
        service.awaitState(broken, "failed");
        browser.visit("/studies/" + broken);

        assertThat(browser.see(".failure").getText())
                .contains("dataset error")
                .contains("ValueError: sample 3 is broken")
                .contains("What to do:");
        browser.requireAccessible();

        String hanging = done(InstantLoader.HANGING);
        browser.visit("/studies/" + hanging + "?outcome=failed");
        assertThat(browser.texts("#trials tbody .outcome")).containsExactly("timed out");
        service.loader().mend();
        browser.press("#trials tbody th a");
        browser.press("[data-post$='/retry']");
        browser.read("#trial", "Tried again");
        browser.read("#trial", "complete — 1,000/s");
        browser.requireAccessible();
    }

    @Test
    void studiesAreFoundSortedAndCompared() {
        String first = done("compared-one");
        String second = done("compared-two");
        browser.visit("/studies?q=COMPARED&sort=oldest");

        assertThat(browser.texts("#list tbody th a")).containsExactly("compared-one", "compared-two");
        assertThat(browser.texts("#list tbody td:nth-child(6)")).containsOnly("+200 %");
        browser.requireAccessible();
        for (String id : List.of(first, second)) {
            browser.press("input[value='" + id + "']");
        }
        browser.press("#compare button");
        browser.awaitAddress("/compare.*");
        assertThat(browser.texts("thead a")).containsExactly("compared-one", "compared-two");
        assertThat(browser.texts("#plot-compared .mark")).hasSize(4);
        browser.requireAccessible();

        browser.visit("/machines");
        assertThat(browser.see("tr.chosen").getText()).contains("test-machine").contains("this machine");
        assertThat(browser.see("#main").getText()).contains("compared-two");
        browser.requireAccessible();
    }

    @Test
    void aStudyIsTunedAgainByTheClock() {
        String id = done("by-the-clock");
        browser.visit("/schedules");
        browser.requireAccessible();
        browser.visit("/studies/" + id);
        browser.press("a[href='/schedules/new?like=" + id + "']");
        browser.awaitAddress("/schedules/new.*");
        browser.requireAccessible();
        browser.type("#cron", "whenever");
        browser.press("#schedule [type=submit]");
        browser.read("#made", "cron: must be like");
        browser.type("#cron", "0 3 1 1 *");
        browser.type("#canary", "5");
        browser.press("#schedule [type=submit]");
        String address = browser.awaitAddress("/schedules/[0-9a-f-]{36}");
        assertThat(browser.see("main h1").getText()).isEqualTo("by-the-clock");

        browser.press("[data-post$='/run']");
        browser.read("#runs", "The rates are as they were");
        browser.requireAccessible();
        browser.visit("/schedules");
        assertThat(browser.see("#schedules tbody").getText()).contains("by-the-clock", "0 3 1 1 *", "quiet");
        assertThat(browser.attributes("#schedules time", "datetime").get(0)).contains("-01-01T03:");
        browser.requireAccessible();

        browser.visit(address);
        browser.choose("#enabled", "false");
        browser.press("#schedule [type=submit]");
        browser.read("main", "Switched off");
        browser.press("[data-delete]");
        browser.agree();
        browser.awaitAddress("/schedules");
        assertThat(service.calls().get("/api/v1/schedules").body().path("items").size())
                .isZero();
        assertThat(browser.complaints()).allMatch(complaint -> complaint.contains("422"));
    }

    @Test
    void everyPageFitsAPhoneAndTheNight() {
        String id = done("fitting");
        browser.dark(true);
        browser.size(360, 780);
        try {
            for (String page : List.of(
                    "/studies",
                    "/studies/new",
                    "/studies/" + id,
                    "/studies/" + id + "/trials/1",
                    "/machines",
                    "/schedules",
                    "/schedules/new?like=" + id)) {
                browser.visit(page);
                browser.requireAccessible();
                assertThat(browser.run(
                                "const page = document.documentElement; return page.scrollWidth - page.clientWidth"))
                        .as(page)
                        .isEqualTo(0L);
            }
        } finally {
            browser.dark(false);
            browser.size(1280, 900);
        }
    }

    @Test
    void aDescriptorIsCheckedBeforeItIsPosted() {
        browser.visit("/studies/new");
        browser.press("[value=json]");
        browser.run("document.getElementById('json').value = arguments[0]", RunningService.descriptor("checked"));
        browser.press("[data-check]");
        browser.read("#checked", "It can be loaded: 10000 samples, 768 bytes each.");

        browser.run(
                "document.getElementById('json').value = arguments[0]",
                RunningService.descriptor(InstantLoader.BROKEN));
        browser.press("[data-check]");
        browser.read("#checked", "ValueError: sample 3 is broken");
        browser.run("document.getElementById('json').value = '{'");
        browser.press("#describe [type=submit]");
        assertThat(browser.read("#checked", "JSON").toLowerCase(Locale.ROOT)).contains("json");
        // Chromium itself reports each refusal that it was told of.
        assertThat(browser.complaints()).allMatch(complaint -> complaint.contains("422") || complaint.contains("400"));
    }

    @Test
    void whatIsNotThereIsSaid() {
        browser.visit("/studies/none");

        assertThat(browser.see("main").getText()).contains("Not found").contains("there is no study 'none'");
        browser.requireAccessible();
        assertThat(browser.complaints()).allMatch(complaint -> complaint.contains("404"));
    }

    private static String done(String name) {
        String id = service.post(RunningService.descriptor(name));
        service.awaitState(id, "completed");
        return id;
    }
}
