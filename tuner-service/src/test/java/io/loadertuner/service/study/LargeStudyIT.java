package io.loadertuner.service.study;

import static org.assertj.core.api.Assertions.assertThat;

import io.loadertuner.core.loader.RoundMeasurement;
import io.loadertuner.core.loader.Symptoms;
import io.loadertuner.core.measure.MeasuredWindow;
import io.loadertuner.core.space.LoaderConfig;
import io.loadertuner.core.study.Phase;
import io.loadertuner.core.tuning.RoundRecord;
import io.loadertuner.core.tuning.StudyReport;
import io.loadertuner.core.tuning.StudyRequest;
import io.loadertuner.service.InstantLoader;
import io.loadertuner.service.RunningService;
import io.loadertuner.service.ServiceCalls.Answer;
import io.loadertuner.service.store.JsonText;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.transaction.support.TransactionOperations;

/** The page of a study that has many trials. */
class LargeStudyIT {
    private static final String ID = "large";
    private static final int TRIALS = 1000;

    @TempDir
    Path home;

    @Test
    void itsTrialsAreShownInPagesAndItsPlotsCanBeDrawn() {
        try (RunningService service = RunningService.start(home, new InstantLoader())) {
            store(service);

            Answer page = service.calls().get("/studies/" + ID + "?sort=throughput&page=2");

            String html = page.raw().body();
            assertThat(page.status()).isEqualTo(200);
            assertThat(html).contains("page 2 of 20").contains("1,000 of 1,000 trials");
            assertThat(count(html, "<th scope=\"row\"><a href=\"/studies/large/trials/"))
                    .isEqualTo(50);
            // 371 × 7919 leaves 949 of 1,000: after 50 faster ones it is the first. 50 × 7919 leaves 950: it is the
            // last of those.
            assertThat(html).contains(">371</a></th>").doesNotContain(">50</a></th>");
            String bestSoFar = html.substring(html.indexOf("plot-best-so-far"), html.indexOf("plot-memory"));
            assertThat(count(bestSoFar, "class=\"mark ")).isBetween(TRIALS / 2, 600);
        }
    }

    /** Trial n has the rate 100 + n × 7919 mod 1,000: each from 100 to 1,099 once, in no order. */
    private static void store(RunningService service) {
        StudyRequest request = JsonText.read(RunningService.descriptor("large"), StudyRequest.class)
                .withMachineType("elsewhere");
        service.bean(StudyStore.class)
                .add(
                        request,
                        StudyReport.queued(ID, request, "cpu"),
                        null,
                        null,
                        Instant.parse("2026-11-30T12:34:56Z"));
        TrialStore trials = service.bean(TrialStore.class);
        service.bean(TransactionOperations.class).executeWithoutResult(status -> {
            for (int number = 1; number <= TRIALS; number++) {
                trials.begun(
                        ID, number, LoaderConfig.of(number % 40, 1 + number % 8, false, 8 + number / 320, true, null));
                trials.measured(ID, number, round(number, 100 + number * 7919 % 1000), List.of(1L, 2L, 3L));
            }
        });
    }

    private static int count(String text, String part) {
        return (int)
                Pattern.compile(Pattern.quote(part)).matcher(text).results().count();
    }

    private static RoundRecord round(int number, double rate) {
        RoundMeasurement measured = new RoundMeasurement(
                0.1,
                0.2,
                0.1,
                0.3,
                1L << 30,
                null,
                null,
                null,
                null,
                1.5,
                0.0,
                "fork",
                null,
                new MeasuredWindow(0, 2, 64, 64 / rate),
                List.of(),
                Symptoms.NONE);
        return new RoundRecord(Phase.SEARCH, number, rate, 0, false, 1.5, number * 1.5, measured, null);
    }
}
