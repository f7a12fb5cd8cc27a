package io.loadertuner.service.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.loadertuner.service.InstantLoader;
import io.loadertuner.service.RunningService;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An open page while its service is gone, and when it is back. */
class LostServiceIT {
    @TempDir
    Path home;

    @Test
    void aPageSaysThatItsServiceIsGoneAndGoesOnWhenItIsBack() {
        InstantLoader loader = new InstantLoader();
        loader.allowRounds(3);
        RunningService first = RunningService.start(home, loader);
        int port = first.calls().base().getPort();
        try (Browser browser = Browser.open(first.calls().base())) {
            browser.visit("/");
            assertThat(browser.see(".face").getText()).contains("Nothing was tuned here yet");
            browser.requireAccessible();
            String id = first.post(RunningService.descriptor("lost"));
            browser.visit("/studies/" + id);
            browser.read("#connection", "live");
            first.awaitRounds(3);

            first.stop();
            browser.read("#connection", "The service cannot be reached. Trying again");
            assertThat(browser.see("h1").getText()).contains("lost");

            try (RunningService second = RunningService.start(home, new InstantLoader(), "server.port=" + port)) {
                browser.read("#answer h2", "Use 2 workers");
                assertThat(second.study(id).text("state")).isEqualTo("completed");
            }
        } finally {
            first.close();
        }
    }
}
