package io.loadertuner.service.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.loadertuner.core.dataset.Source;
import io.loadertuner.core.machine.Machine;
import io.loadertuner.core.space.InvalidFieldException;
import io.loadertuner.core.tuning.StudyRequest;
import io.loadertuner.service.InstantLoader;
import io.loadertuner.service.machine.ThisMachine;
import io.loadertuner.service.runner.LocalRunner;
import io.loadertuner.service.settings.Limits;
import io.loadertuner.service.settings.TunerProperties;
import io.loadertuner.service.store.JsonText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AdmissionTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    @TempDir
    Path folder;

    private Path code;
    private Path outside;
    private Admission admission;

    @BeforeEach
    void layOut() throws IOException {
        folder = folder.toRealPath();
        code = Files.createDirectories(folder.resolve("code"));
        outside = Files.createDirectories(folder.resolve("outside"));
        Files.createFile(code.resolve("mydata.py"));
        Files.createDirectories(code.resolve("package").resolve("inner"));
        Files.createFile(code.resolve("compiled.cpython-311-x86_64-linux-gnu.so"));
        Files.createFile(outside.resolve("foreign.py"));
        Files.createSymbolicLink(code.resolve("linked.py"), outside.resolve("foreign.py"));
        Files.createSymbolicLink(code.resolve("linked"), outside);
        admission = admission(List.of(code.toString()));
    }

    @Test
    void withoutAPythonPathTheCodeRootsAreIt() {
        StudyRequest admitted = admission.admit(python("mydata:make", "[]", "default"));

        Source.Python source = (Source.Python) admitted.source();
        assertThat(source.pythonPath()).containsExactly(code.toString());
        assertThat(admitted.machineType()).isEqualTo("here");
    }

    @Test
    void aRelativePythonPathStartsAtTheFirstCodeRoot() throws IOException {
        Files.createFile(code.resolve("package").resolve("deep.py"));

        StudyRequest admitted = admission.admit(python("deep:make", "[\"package\"]", "default"));

        assertThat(((Source.Python) admitted.source()).pythonPath())
                .containsExactly(code.resolve("package").toString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"mydata:make", "package.inner.module:make", "compiled:make"})
    void aModuleUnderTheCodeRootsIsAdmitted(String factory) {
        assertThat(admission.admit(python(factory, "[]", "default")).source()).isInstanceOf(Source.Python.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"os:system", "subprocess:run", "torch.hub:load", "linked:make", "mydat:make"})
    void aModuleFromElsewhereIsRefused(String factory) {
        InvalidFieldException refused = refused(python(factory, "[]", "default"));

        assertThat(refused.field()).isEqualTo("source.factory");
        assertThat(refused).hasMessageContaining("loader-tuner.code-roots");
    }

    @ParameterizedTest
    @ValueSource(strings = {"../outside", "linked", "/"})
    void aPythonPathOutsideTheCodeRootsIsRefused(String path) {
        InvalidFieldException refused = refused(python("mydata:make", "[\"" + path + "\"]", "default"));

        assertThat(refused.field()).isEqualTo("source.python_path");
    }

    @Test
    void anInterpreterThatNobodyNamedIsRefused() {
        admission.admit(python("mydata:make", "[]", "torch-2"));

        InvalidFieldException refused = refused(python("mydata:make", "[]", "/usr/bin/python3"));

        assertThat(refused.field()).isEqualTo("source.environment");
        assertThat(refused).hasMessageContaining("default, torch-2");
    }

    @Test
    void withoutCodeRootsThePropertyToSetIsNamed() {
        admission = admission(List.of());

        InvalidFieldException refused = refused(python("mydata:make", "[]", "default"));

        assertThat(refused.field()).isEqualTo("source.kind");
        assertThat(refused).hasMessageContaining("loader-tuner.code-roots");
    }

    @Test
    void anotherMachineTypeIsRefusedWithThisOne() {
        InvalidFieldException refused =
                refused(python("mydata:make", "[]", "default").withMachineType("there"));

        assertThat(refused.field()).isEqualTo("machine_type");
        assertThat(refused).hasMessageContaining("'here'");
    }

    @Test
    void aRootThatIsALinkIsFollowed() throws IOException {
        Path link = Files.createSymbolicLink(folder.resolve("link-to-code"), code);
        admission = admission(List.of(link.toString()));

        StudyRequest admitted = admission.admit(python("mydata:make", "[]", "default"));

        assertThat(((Source.Python) admitted.source()).pythonPath()).containsExactly(code.toString());
    }

    private InvalidFieldException refused(StudyRequest request) {
        return catchThrowableOfType(InvalidFieldException.class, () -> admission.admit(request));
    }

    private static StudyRequest python(String factory, String path, String environment) {
        return JsonText.read("""
                {"name": "a", "source": {"kind": "python", "factory": "%s", "python_path": %s, "environment": "%s"}}
                """.formatted(factory, path, environment), StudyRequest.class);
    }

    private Admission admission(List<String> codeRoots) {
        TunerProperties properties = new TunerProperties(
                null,
                Map.of("torch-2", "/opt/torch-2/bin/python"),
                Set.of(),
                List.of(folder.toString()),
                codeRoots,
                SECOND,
                SECOND,
                null,
                new Limits(SECOND, SECOND, SECOND, SECOND, SECOND),
                SECOND,
                null,
                null);
        Machine machine = new Machine("host", "cpu", 2, null, 1, 0, 0, List.of());
        ThisMachine here = new ThisMachine(() -> machine, "here");
        return new Admission(
                properties, new LocalRunner(new InstantLoader(), here, InstantSource.system(), properties));
    }
}
