package io.loadertuner.core.loader.pytorch;

import io.loadertuner.core.dataset.DatasetDescriptor;
import io.loadertuner.core.dataset.Source;
import io.loadertuner.core.loader.Loader;
import io.loadertuner.core.loader.LoaderSession;
import io.loadertuner.core.loader.TrialFailedException;
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
        BoundedLog printed = new BoundedLog();
        // A probe that imports for itself after that has as long again to build the dataset.
        Nursery nursery = Nursery.start(
                interpreters.named(name), environment, limits.open().dividedBy(2), descriptor.ranks(), printed);
        return descriptor.ranks() == 1
                ? openOne(session(nursery, descriptor, seed, null, printed))
                : openRanks(nursery, descriptor, seed, printed);
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

    private LoaderSession openRanks(Nursery nursery, DatasetDescriptor descriptor, long seed, BoundedLog printed)
            throws TrialFailedException, InterruptedException {
        int ranks = descriptor.ranks();
        RankedSession session = new RankedSession(IntStream.range(0, ranks)
                .mapToObj(number -> session(
                        nursery, descriptor, seed, new Rank(number, ranks), number == 0 ? printed : new BoundedLog()))
                .toList());
        try {
            session.open();
            return session;
        } catch (TrialFailedException | InterruptedException | RuntimeException failed) {
            session.close();
            throw failed;
        }
    }

    private PyTorchSession session(
            Nursery nursery, DatasetDescriptor descriptor, long seed, @Nullable Rank rank, BoundedLog printed) {
        OpenRequest request = new OpenRequest(descriptor, roots, seed, rank);
        return new PyTorchSession(
                new SessionProbes(nursery, limits, request, printed), limits, descriptor.step() != null, seed);
    }
}
