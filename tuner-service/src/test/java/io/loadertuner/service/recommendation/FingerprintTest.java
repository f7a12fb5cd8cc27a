package io.loadertuner.service.recommendation;

import static org.assertj.core.api.Assertions.assertThat;

import io.loadertuner.core.tuning.StudyRequest;
import io.loadertuner.service.store.JsonText;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FingerprintTest {
    private static final String SOURCE = """
            {"kind": "python", "factory": "a:b", "arguments": {"x": 1, "y": {"u": [1, 2], "v": null}}}""";
    private static final String DESCRIPTOR = """
            {"name": "photos", "version": "7", "source": %s, "step": {"milliseconds": 5}, "ranks": 2}""".formatted(SOURCE);

    @Test
    void theOrderOfFieldsAndArgumentsDoesNotCount() {
        assertThat(of("""
                {"ranks": 2, "step": {"milliseconds": 5}, "version": "7", "name": "photos", "loader": "pytorch",
                 "source": {"arguments": {"y": {"v": null, "u": [1, 2]}, "x": 1}, "factory": "a:b", "kind": "python"}}""")).isEqualTo(of(DESCRIPTOR)).matches("[0-9a-f]{64}");
    }

    @Test
    void whatDecidesNothingOfWhatIsLoadedDoesNotCount() {
        assertThat(of(DESCRIPTOR.replaceFirst(
                        "\\{",
                        "{\"budget\": {\"seconds\": 10}, \"space\": {\"num_workers\": [1]}, \"sampler\": \"grid\",")))
                .isEqualTo(of(DESCRIPTOR));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"photos\"|\"photo\"",
                "\"7\"|\"8\"",
                "a:b|a:c",
                "\"x\": 1|\"x\": 2",
                "\"x\": 1|\"x\": \"1\"",
                "[1, 2]|[2, 1]",
                "\"milliseconds\": 5|\"milliseconds\": 6",
                "\"ranks\": 2|\"ranks\": 1"
            })
    void everythingElseCounts(String change) {
        String from = change.substring(0, change.indexOf('|'));
        String to = change.substring(change.indexOf('|') + 1);

        assertThat(DESCRIPTOR).contains(from);
        assertThat(of(DESCRIPTOR.replace(from, to))).isNotEqualTo(of(DESCRIPTOR));
    }

    private static String of(String descriptor) {
        return Fingerprint.of(JsonText.read(descriptor, StudyRequest.class).descriptor());
    }
}
