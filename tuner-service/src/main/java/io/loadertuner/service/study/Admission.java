package io.loadertuner.service.study;

import io.loadertuner.core.dataset.Source;
import io.loadertuner.core.dataset.TrainingStep;
import io.loadertuner.core.space.InvalidFieldException;
import io.loadertuner.core.tuning.StudyRequest;
import io.loadertuner.service.runner.Runner;
import io.loadertuner.service.settings.TunerProperties;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * What of a request is allowed here: data and code only from the operator's roots, interpreters only by the operator's names,
 * trials only on this machine.
 */
@Component
class Admission {
    private static final String CODE_ROOTS = "loader-tuner.code-roots";

    private final Roots data;
    private final Roots code;
    private final TreeSet<String> environments;
    private final String machineType;

    Admission(TunerProperties properties, Runner runner) {
        List<String> dataRoots = properties.dataRoots().isEmpty() ? List.of(".") : properties.dataRoots();
        this.data = new Roots(
                "loader-tuner.data-roots", dataRoots.stream().map(Path::of).toList());
        this.code = new Roots(
                CODE_ROOTS, properties.codeRoots().stream().map(Path::of).toList());
        this.environments = new TreeSet<>(properties.environments().keySet());
        this.environments.add(Source.Python.DEFAULT_ENVIRONMENT);
        this.machineType = runner.machineType();
    }

    /**
     * The request with every path absolute and the machine type filled in. To be asked again before it runs: what a path
     * leads to may have changed.
     *
     * @throws InvalidFieldException if something is not allowed, with what would be
     */
    StudyRequest admit(StudyRequest request) {
        String type = request.machineType();
        if (type != null && !type.equals(machineType)) {
            throw new InvalidFieldException(
                    "machine_type",
                    "trials can run only on this machine, whose type is '" + machineType + "', but is '" + type
                            + "'; leave it out, or post the study to a service on such a machine");
        }
        TrainingStep step = request.step();
        if (step != null && step.factory() != null) {
            requireCodeRoots("step.factory", "a step's factory");
        }
        return request.withSource(source(request.source())).withMachineType(machineType);
    }

    private Source source(Source asked) {
        if (asked instanceof Source.ImageFolder folder) {
            return new Source.ImageFolder(dataPath(folder.path()), folder.imageSize());
        }
        if (asked instanceof Source.Array array) {
            return new Source.Array(dataPath(array.path()));
        }
        if (asked instanceof Source.TarShards shards) {
            return new Source.TarShards(dataPath(shards.path()), shards.imageSize());
        }
        if (asked instanceof Source.Python python) {
            return python(python);
        }
        return asked;
    }

    private String dataPath(String path) {
        return data.resolve("source.path", path).toString();
    }

    private Source.Python python(Source.Python asked) {
        requireCodeRoots("source.kind", "a python source");
        String environment = asked.environment();
        if (environment != null && !environments.contains(environment)) {
            throw new InvalidFieldException(
                    "source.environment",
                    "must be one of " + String.join(", ", environments)
                            + ", the operator's names under loader-tuner.python.environments, but is '" + environment
                            + "'");
        }
        List<String> given = Objects.requireNonNullElse(asked.pythonPath(), List.of());
        List<Path> folders = given.isEmpty()
                ? code.real()
                : given.stream()
                        .map(folder -> code.resolve("source.python_path", folder))
                        .toList();
        requireModule("source.factory", asked.factory(), folders);
        return new Source.Python(
                asked.factory(),
                asked.arguments(),
                folders.stream().map(Path::toString).toList(),
                environment);
    }

    private void requireCodeRoots(String field, String what) {
        if (code.folders().isEmpty()) {
            throw new InvalidFieldException(
                    field,
                    what + " runs code, and no folder is named that code may come from; the operator sets them with "
                            + CODE_ROOTS);
        }
    }

    /** The factory's module must come from the roots: the interpreter can import much else that can do harm. */
    private void requireModule(String field, String factory, List<Path> folders) {
        String module = factory.substring(0, factory.indexOf(':'));
        int dot = module.indexOf('.');
        String top = dot < 0 ? module : module.substring(0, dot);
        for (Path folder : folders) {
            Path found = module(folder, top);
            if (found != null) {
                if (code.contains(found)) {
                    return;
                }
                throw new InvalidFieldException(
                        field,
                        "the module " + top + " is a link that leads out of the code roots (" + CODE_ROOTS + ")");
            }
        }
        throw new InvalidFieldException(
                field,
                "the module " + top + " is in none of the folders " + folders + "; only code from there is run ("
                        + CODE_ROOTS + ", source.python_path)");
    }

    private static @Nullable Path module(Path folder, String name) {
        try (DirectoryStream<Path> candidates = Files.newDirectoryStream(
                folder, entry -> isModule(String.valueOf(entry.getFileName()), name, Files.isDirectory(entry)))) {
            for (Path candidate : candidates) {
                return candidate.toRealPath();
            }
            return null;
        } catch (IOException unreadable) {
            return null;
        }
    }

    private static boolean isModule(String file, String name, boolean folder) {
        return folder
                ? file.equals(name)
                : file.equals(name + ".py") || (file.startsWith(name + ".") && file.endsWith(".so"));
    }
}
