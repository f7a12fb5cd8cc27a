package io.loadertuner.service.settings;

import io.loadertuner.core.machine.MachineLock;
import io.loadertuner.core.machine.MachineType;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.bind.Name;

/**
 * The properties under {@code loader-tuner}.
 *
 * <p>The two under {@code python} are named in full: a record for {@code loader-tuner.python} would be bound to the
 * environment variable {@code LOADER_TUNER_PYTHON}, which names the default interpreter.
 *
 * @param home folder of the embedded database; {@code ~/.loader-tuner} where none is given
 * @param environments Python interpreters by name
 * @param passedEnvironment names of environment variables that child processes get besides the usual few
 * @param dataRoots folders under which data may lie; the working directory where none is given
 * @param codeRoots folders under which users' Python code may lie; none unless given
 * @param staleAfter the age from which on a recommendation is called stale, above zero
 * @param keptBatchTimes how long after its study's end it is kept when each batch of a trial arrived
 * @param keptTrials how long after its study's end a trial is kept; null keeps all
 * @param limits how long loading may stay silent
 * @param lease how long what this service runs stays its own without a sign of life, one second to an hour; counts where
 *     several services share a database
 * @param machineType the operator's name for this machine's type
 * @param measuringLock file whose lock is the right to measure on this machine
 */
@ConfigurationProperties("loader-tuner")
public record TunerProperties(
        @Nullable String home,
        @Name("python.environments") @DefaultValue Map<String, String> environments,
        @Name("python.passed-environment") @DefaultValue Set<String> passedEnvironment,
        @DefaultValue List<String> dataRoots,
        @DefaultValue List<String> codeRoots,

        @Name("recommendations.stale-after") @DefaultValue("30d")
        Duration staleAfter,

        @Name("retention.batch-times") @DefaultValue("90d") Duration keptBatchTimes,
        @Name("retention.trials") @Nullable Duration keptTrials,
        @DefaultValue Limits limits,
        @DefaultValue("15s") Duration lease,
        @Nullable String machineType,
        @Nullable String measuringLock) {

    private static final Duration SHORTEST_LEASE = Duration.ofSeconds(1);
    private static final Duration LONGEST_LEASE = Duration.ofHours(1);

    public TunerProperties {
        if (machineType != null) {
            machineType = MachineType.named(machineType).key();
        }
        requireAboveZero("recommendations.stale-after", staleAfter);
        requireAboveZero("retention.batch-times", keptBatchTimes);
        requireAboveZero("retention.trials", keptTrials);
        if (lease.compareTo(SHORTEST_LEASE) < 0 || lease.compareTo(LONGEST_LEASE) > 0) {
            throw new IllegalArgumentException("loader-tuner.lease must be 1s to 1h, but is " + lease);
        }
        requirePath("home", home);
        requirePath("measuring-lock", measuringLock);
        environments.forEach((name, path) -> requirePath("python.environments." + name, path));
        dataRoots.forEach(root -> requirePath("data-roots", root));
        codeRoots.forEach(root -> requirePath("code-roots", root));
    }

    public Path homeFolder() {
        return home == null ? Path.of(System.getProperty("user.home"), ".loader-tuner") : Path.of(home);
    }

    public Path measuringLockFile() {
        return measuringLock == null ? MachineLock.DEFAULT_PATH : Path.of(measuringLock);
    }

    private static void requireAboveZero(String property, @Nullable Duration age) {
        if (age != null && (age.isNegative() || age.isZero())) {
            throw new IllegalArgumentException("loader-tuner." + property + " must be above 0, but is " + age);
        }
    }

    private static void requirePath(String property, @Nullable String path) {
        if (path == null) {
            return;
        }
        if (path.isBlank() || path.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("loader-tuner." + property + " must name a file or folder");
        }
    }
}
