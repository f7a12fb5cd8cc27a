package io.loadertuner.example;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What docs/samplers.md shows is what is compiled and run here. */
class DocumentedExamplesTest {
    private static final Path DOCUMENT = Path.of("..", "docs", "samplers.md");
    private static final Path EXAMPLES = Path.of("src", "test", "java", "io", "loadertuner", "example");

    @ParameterizedTest
    @ValueSource(strings = {"FewestInFlightFirst", "FewestInFlightFirstTest", "StudyExampleTest"})
    void an_example_is_quoted_whole(String name) throws IOException {
        String source = Files.readString(EXAMPLES.resolve(name + ".java"));
        String withoutImports = source.substring(source.lastIndexOf("import "));
        String declaration =
                withoutImports.substring(withoutImports.indexOf('\n')).strip();

        assertThat(Files.readString(DOCUMENT)).contains(declaration);
    }
}
