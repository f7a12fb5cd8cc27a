package io.loadertuner.core.machine;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The file under a {@link MachineLock}, opened. It lies where everybody may write, so nothing is taken for granted: links are
 * not followed, and only a regular file will do.
 *
 * <p>A process that closes any descriptor of a file gives up its locks on that file. While this process holds the lock, it
 * therefore must not open the file a second time, not even to read who holds it.
 */
final class LockFile implements AutoCloseable {

    private static final int LONGEST_TEXT = 1024;

    private final Path path;
    private final @Nullable Object identity;
    private final FileChannel channel;

    private LockFile(Path path, @Nullable Object identity, FileChannel channel) {
        this.path = path;
        this.identity = identity;
        this.channel = channel;
    }

    /** Opens the file, and makes it first where there is none. */
    static LockFile open(Path path) throws IOException {
        while (true) {
            try {
                return openExisting(path);
            } catch (NoSuchFileException absent) {
                create(path);
            }
        }
    }

    /**
     * Never with the option to create: in a directory such as {@code /tmp}, Linux refuses to open another user's file with it
     * ({@code fs.protected_regular}), whatever its permissions.
     */
    private static LockFile openExisting(Path path) throws IOException {
        BasicFileAttributes attributes = attributes(path);
        if (!attributes.isRegularFile()) {
            throw new FileSystemException(
                    path.toString(), null, "the machine lock must be a regular file; remove this");
        }
        try {
            return new LockFile(path, attributes.fileKey(), FileChannel.open(path, READ, WRITE, NOFOLLOW_LINKS));
        } catch (AccessDeniedException e) {
            throw new AccessDeniedException(
                    path.toString(), null, "the machine lock must be writable for every user; chmod 666 or remove it");
        }
    }

    /** Links a complete file to its name, so that nobody meets it before everybody may write to it. */
    private static void create(Path path) throws IOException {
        Path directory = Objects.requireNonNull(path.getParent(), "an absolute path to a file");
        Path complete = Files.createTempFile(directory, ".loader-tuner", ".lock");
        try {
            Files.setPosixFilePermissions(complete, PosixFilePermissions.fromString("rw-rw-rw-"));
            Files.createLink(path, complete);
        } catch (FileAlreadyExistsException e) {
            // Another process was quicker: its file is as good.
        } finally {
            Files.delete(complete);
        }
    }

    boolean tryLock() throws IOException {
        return channel.tryLock() != null;
    }

    void lock() throws IOException {
        channel.lock();
    }

    /** Whether the path still leads to this file: a lock on a file that was removed meanwhile excludes nobody. */
    boolean isInPlace() throws IOException {
        try {
            return Objects.equals(identity, attributes(path).fileKey());
        } catch (NoSuchFileException e) {
            return false;
        }
    }

    LockHolder holder() throws IOException {
        ByteBuffer text = ByteBuffer.allocate(LONGEST_TEXT);
        channel.read(text, 0);
        return LockHolder.parse(StandardCharsets.UTF_8.decode(text.flip()).toString());
    }

    /** Says who has the lock. A full disk may keep that from being read, but not from being so. */
    void announce(LockHolder holder) throws IOException {
        try {
            channel.truncate(0);
            channel.write(StandardCharsets.UTF_8.encode(holder.format()), 0);
        } catch (IOException e) {
            if (!channel.isOpen()) {
                throw e;
            }
        }
    }

    /** Takes back what was announced and gives up the lock. */
    void release() throws IOException {
        try (channel) {
            channel.truncate(0);
        }
    }

    /** Gives up the lock, if this has it. */
    @Override
    public void close() throws IOException {
        channel.close();
    }

    private static BasicFileAttributes attributes(Path path) throws IOException {
        return Files.readAttributes(path, BasicFileAttributes.class, NOFOLLOW_LINKS);
    }
}
