package io.loadertuner.service.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.loadertuner.service.ServiceProcess;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The packaged service and the real DataLoader, from the form to the answer. */
@Tag("rates")
class RealStudyIT {
    @TempDir
    Path folder;

    @Test
    void aStudyOfTheRealLoaderIsStartedWatchedAndRead() {
        try (ServiceProcess service = ServiceProcess.start(
                        folder.resolve("home"), "--loader-tuner.measuring-lock=" + folder.resolve("measuring.lock"));
                Browser browser = Browser.open(service.address())) {
            browser.visit("/studies/new");
            browser.type("#name", "sleeping");
            browser.choose("#kind", "synthetic");
            browser.type("#waiting", "10");
            browser.type("#batch-sizes", "8");
            browser.type("#workers", "0, 4");
            browser.type("#prefetches", "2");
            browser.type("#seconds", "60");
            browser.press("#describe [type=submit]");
            String id = browser.awaitAddress("/studies/[0-9a-f-]{36}").substring("/studies/".length());
            browser.read("#connection", "live");
            browser.read("#live", "Best so far");

            JsonNode study = service.calls()
                    .awaitState(id, "completed", Duration.ofMinutes(2))
                    .body();
            // Four workers wait at once: four times as fast by construction.
            assertThat(study.at("/recommendation/config/num_workers").asInt()).isEqualTo(4);
            assertThat(browser.read("#answer h2", "Use 4 workers")).contains("beyond noise");
            assertThat(browser.texts("#plot-setting-num_workers .mark-chosen")).hasSize(1);
            browser.requireAccessible();

            browser.press("#answer a[href*='/trials/']");
            browser.awaitAddress(".*/trials/\\d+");
            browser.see("#plot-batches .area-batch");
            browser.requireAccessible();
            assertThat(browser.complaints()).isEmpty();
        }
    }
}
