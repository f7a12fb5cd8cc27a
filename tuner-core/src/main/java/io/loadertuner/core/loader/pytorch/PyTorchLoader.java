package io.loadertuner.core.loader.pytorch;

import io.loadertuner.core.dataset.DatasetDescriptor;
import io.loadertuner.core.dataset.Source;
import io.loadertuner.core.loader.Loader;
import io.loadertuner.core.loader.LoaderSession;
import io.loadertuner.core.loader.TrialFailedException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** {@code torch.utils.data.DataLoader} in a child process. */
public final class PyTorchLoader implements Loader {
    private final PythonInterpreters interpreters;
    private final TimeLimits limits;
    private final Map<String, String> environment;
    private final AllowedRoots roots;

    /**
     * @param own the environment of this process
     * @param passed names of variables that child processes get besides the usual few
     */
    public PyTorchLoader(
            PythonInterpreters interpreters,
            TimeLimits limits,
            Map<String, String> own,
            Set<String> passed,
            AllowedRoots roots) {
        this.interpreters = interpreters;
        this.limits = limits;
        this.environment = ChildEnvironment.of(own, passed);
        this.roots = roots;
    }

    @Override
    public LoaderSession open(DatasetDescriptor descriptor, long seed)
            throws TrialFailedException, InterruptedException {
        String name = descriptor.source() instanceof Source.Python python && python.environment() != null
                ? python.environment()
                : Source.Python.DEFAULT_ENVIRONMENT;
        Path interpreter = interpreters.named(name);
        return descriptor.ranks() == 1
                ? openOne(session(interpreter, descriptor, seed, null))
                : openRanks(interpreter, descriptor, seed);
    }

    private static LoaderSession openOne(PyTorchSession session) throws TrialFailedException, InterruptedException {
        try {
            session.open();
            return session;
        } catch (TrialFailedException | InterruptedException | RuntimeException failed) {
            session.close();
            throw failed;
        }
    }

    private LoaderSession openRanks(Path interpreter, DatasetDescriptor descriptor, long seed)
            throws TrialFailedException, InterruptedException {
        RankedSession session = new RankedSession(IntStream.range(0, descriptor.ranks())
                .mapToObj(number -> session(interpreter, descriptor, seed, new Rank(number, descriptor.ranks())))
                .toList());
        try {
            session.open();
            return session;
        } catch (TrialFailedException | InterruptedException | RuntimeException failed) {
            session.close();
            throw failed;
        }
    }

    private PyTorchSession session(Path interpreter, DatasetDescriptor descriptor, long seed, @Nullable Rank rank) {
        OpenRequest request = new OpenRequest(descriptor, roots, seed, rank);
        return new PyTorchSession(
                new SessionProbes(interpreter, environment, limits, request), limits, descriptor.step() != null, seed);
    }
}
