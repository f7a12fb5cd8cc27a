package io.loadertuner.core.loader.pytorch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.loadertuner.core.dataset.Source;
import io.loadertuner.core.loader.FailureReason;
import io.loadertuner.core.loader.LoaderSession;
import io.loadertuner.core.loader.TrialFailedException;
import io.loadertuner.core.loader.TrialFailure;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** What cannot be opened or read is named before anything is measured. */
@Execution(ExecutionMode.CONCURRENT)
class SessionOpeningIT extends SessionTests {

    @Test
    void aFactoryThatCannotBeImportedIsAnImportError() {
        TrialFailure failure = openingFailure(python("no_such_module:make", Map.of()), PYTHON);

        assertThat(failure.reason()).isEqualTo(FailureReason.IMPORT_ERROR);
        assertThat(failure.message()).contains("no_such_module");
    }

    @Test
    void aDatasetWithoutSamplesOrWithLessThanABatchIsRefusedWithBothNumbers() throws Exception {
        for (int samples : List.of(0, 5)) {
            try (LoaderSession session = open("wild:plain", Map.of("samples", samples))) {
                TrialFailure failure = catchThrowableOfType(TrialFailedException.class, () -> session.check(8))
                        .failure();

                assertThat(failure.reason()).isEqualTo(FailureReason.DATASET_ERROR);
                assertThat(failure.message()).contains(String.valueOf(samples));
                if (samples > 0) {
                    assertThat(failure.message()).contains("8");
                }
            }
        }
    }

    @Test
    void anInterpreterWithoutTorchIsNamed() throws Exception {
        Path bare = folder.resolve("bare");
        run(PYTHON.toString(), "-m", "venv", "--without-pip", bare.toString());
        Path interpreter = bare.resolve("bin/python");

        TrialFailure failure = openingFailure(new Source.Synthetic(10, null, 0, 0, 0), interpreter);

        assertThat(failure.reason()).isEqualTo(FailureReason.ENVIRONMENT_ERROR);
        assertThat(failure.message()).contains(interpreter.toString()).contains("torch");
    }

    @Test
    void anInterpreterThatIsNoneIsNamed() throws Exception {
        Path text = Files.writeString(folder.resolve("python"), "not a program");

        TrialFailure failure = openingFailure(new Source.Synthetic(10, null, 0, 0, 0), text);

        assertThat(failure.reason()).isEqualTo(FailureReason.ENVIRONMENT_ERROR);
        assertThat(failure.message()).contains(text.toString());
    }

    private TrialFailure openingFailure(Source source, Path interpreter) {
        return catchThrowableOfType(
                        TrialFailedException.class,
                        () -> loader(interpreter)
                                .open(descriptor(source, null), 7)
                                .close())
                .failure();
    }
}
