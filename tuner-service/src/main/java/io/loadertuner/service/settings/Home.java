package io.loadertuner.service.settings;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.jspecify.annotations.Nullable;

/**
 * The folder that is the service's own, made where there is none, for its owner only.
 *
 * @param folder absolute
 */
public record Home(Path folder) {
    private static final String OWNER_ONLY = "rwx------";

    /**
     * @throws UnusableSettingException if the folder cannot be made or written to
     */
    public static Home at(Path folder) {
        Path absolute = folder.toAbsolutePath().normalize();
        try {
            if (!Files.isDirectory(absolute)) {
                Files.createDirectories(
                        absolute, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(OWNER_ONLY)));
            }
        } catch (FileAlreadyExistsException occupied) {
            throw unusable(absolute, "is not a folder", occupied);
        } catch (IOException notMade) {
            throw unusable(absolute, "cannot be made", notMade);
        }
        if (!Files.isWritable(absolute)) {
            throw unusable(absolute, "cannot be written to", null);
        }
        return new Home(absolute);
    }

    /**
     * The embedded database in it. WRITE_DELAY=0: a commit is on disk when it returns, also for {@code kill -9}.
     * DB_CLOSE_ON_EXIT=FALSE: what is given up in an orderly way at the end of the process is still written.
     *
     * @throws UnusableSettingException if it cannot lie there
     */
    public String databaseUrl() {
        if (folder.toString().contains(";")) {
            throw unusable(folder, "has a semicolon in its path, which the embedded database cannot have", null);
        }
        return "jdbc:h2:file:" + folder.resolve("tuner")
                + ";MODE=PostgreSQL;DATABASE_TO_LOWER=TRUE;DEFAULT_NULL_ORDERING=HIGH;WRITE_DELAY=0"
                + ";DB_CLOSE_ON_EXIT=FALSE";
    }

    private static UnusableSettingException unusable(Path folder, String problem, @Nullable Throwable cause) {
        return new UnusableSettingException(
                "The service's folder " + folder + " " + problem + ".",
                "Set loader-tuner.home to a folder that this user can write to.",
                cause);
    }
}
