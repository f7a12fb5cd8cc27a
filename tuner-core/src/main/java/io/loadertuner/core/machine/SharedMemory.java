package io.loadertuner.core.machine;

import java.io.File;
import java.nio.file.Path;

/** The shared memory file system, through which a loader's worker processes hand over their batches. */
interface SharedMemory {

    /** Its size in bytes, 0 where there is none. */
    long sizeBytes();

    /** What is free now, in bytes. */
    long freeBytes();

    /** The file system at a directory. Asks the file system itself, so that no table of mounts needs to be readable. */
    static SharedMemory at(Path directory) {
        File file = directory.toFile();
        return new SharedMemory() {
            @Override
            public long sizeBytes() {
                return file.getTotalSpace();
            }

            @Override
            public long freeBytes() {
                return file.getUsableSpace();
            }
        };
    }
}
