package io.loadertuner.service.recommendation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.loadertuner.core.measure.Throughput;
import io.loadertuner.core.space.LoaderConfig;
import io.loadertuner.service.recommendation.RecommendationAnswer.Status;
import io.loadertuner.service.recommendation.RecommendationAnswer.Tuning;
import io.loadertuner.service.web.Choice;
import io.loadertuner.service.web.InvalidParameterException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SnippetFormatTest {
    private static final LoaderConfig WORKERS = new LoaderConfig(6, 4, true, 64, true, true, "spawn");
    private static final LoaderConfig NO_WORKERS = LoaderConfig.of(0, 2, false, 32, true, null);

    @Test
    void everySettingIsThere() {
        assertThat(SnippetFormat.ENV.body(WORKERS)).isEqualTo("""
                DATALOADER_BATCH_SIZE=64
                DATALOADER_NUM_WORKERS=6
                DATALOADER_PREFETCH_FACTOR=4
                DATALOADER_PERSISTENT_WORKERS=true
                DATALOADER_PIN_MEMORY=true
                DATALOADER_NON_BLOCKING=true
                DATALOADER_MULTIPROCESSING_CONTEXT=spawn
                """);
    }

    @Test
    void settingsOfWorkersAreLeftOutWhereThereAreNone() {
        assertThat(SnippetFormat.YAML.body(NO_WORKERS)).isEqualTo("""
                batch_size: 32
                num_workers: 0
                pin_memory: false
                non_blocking: false
                """);
        assertThat(SnippetFormat.PYTORCH.body(NO_WORKERS)).isEqualTo("""
                from torch.utils.data import DataLoader

                loader = DataLoader(
                    dataset,
                    batch_size=32,
                    num_workers=0,
                    pin_memory=False,
                    # and shuffle or sampler, as in your own
                )
                """);
    }

    @Test
    void whatADataLoaderDoesNotTakeIsSaidBesideIt() {
        assertThat(SnippetFormat.PYTORCH.body(WORKERS))
                .contains("    multiprocessing_context=\"spawn\",\n")
                .endsWith(")\n# and for each batch: batch.to(device, non_blocking=True)\n")
                .doesNotContain("    non_blocking");
        assertThat(SnippetFormat.TRANSFORMERS.body(WORKERS))
                .startsWith("# The trainer cannot be told how to start workers")
                .contains("set_start_method(\"spawn\")");
    }

    @Test
    void whereItComesFromStandsBeforeIt() {
        Throughput throughput = new Throughput(951.66, 872.0, 1038.6, 5);

        assertThat(SnippetFormat.YAML.of("photos", answer(Status.EXACT, throughput)))
                .startsWith(
                        "# photos on box: 951.7 samples/s (95 %: 872.0 to 1038.6), measured 2026-11-30T12:00:00Z\n");
        assertThat(SnippetFormat.YAML.of("photos", answer(Status.EXACT, new Throughput(951.66, null, null, 1))))
                .startsWith("# photos on box: 951.7 samples/s, measured ");
        for (Throughput either : new Throughput[] {throughput, null}) {
            assertThat(SnippetFormat.YAML.of("photos", answer(Status.SIMILAR, either)))
                    .startsWith("# photos: it was the fastest\n");
        }
        assertThat(SnippetFormat.YAML.of("photos", answer(Status.DEFAULT, null)))
                .startsWith("# photos: it was the fastest\n");
    }

    @Test
    void aFormatThatIsNoneIsRefusedWithThoseThereAre() {
        assertThat(Choice.of("format", SnippetFormat.class, "yaml")).isSameAs(SnippetFormat.YAML);
        assertThatThrownBy(() -> Choice.of("format", SnippetFormat.class, "toml"))
                .isInstanceOf(InvalidParameterException.class)
                .hasMessageContaining("pytorch, lightning, transformers, accelerate, env, yaml")
                .hasMessageContaining("'toml'");
        assertThatThrownBy(() -> Choice.of("format", SnippetFormat.class, "YAML"))
                .isInstanceOf(InvalidParameterException.class);
    }

    private static RecommendationAnswer answer(Status status, @Nullable Throughput throughput) {
        return new RecommendationAnswer(
                "1",
                status,
                false,
                "it was the fastest",
                WORKERS,
                throughput,
                null,
                null,
                Instant.parse("2026-11-30T12:00:00Z"),
                null,
                null,
                "cpu",
                "box",
                "7",
                1,
                "2",
                null,
                Tuning.NONE);
    }
}
