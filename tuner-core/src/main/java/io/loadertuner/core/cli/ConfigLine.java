package io.loadertuner.core.cli;

import io.loadertuner.core.space.LoaderConfig;

/**
 * A loader config as {@code WORKERS,PREFETCH,BATCH}, with {@code ,pinned} at its end where memory is pinned; the prefetch
 * factor is 0 without workers.
 */
final class ConfigLine {
    private ConfigLine() {}

    /**
     * @throws IllegalArgumentException if it is not three numbers in range, or something else follows them
     */
    static LoaderConfig parse(String line) {
        String[] parts = line.split(",", -1);
        boolean pinned = parts.length == 4 && parts[3].strip().equals("pinned");
        try {
            if (parts.length > (pinned ? 4 : 3)) {
                throw new NumberFormatException(parts[3]);
            }
            int workers = Integer.parseInt(parts[0].strip());
            int prefetch = Integer.parseInt(parts[1].strip());
            return LoaderConfig.of(
                    workers, Math.max(1, prefetch), pinned, Integer.parseInt(parts[2].strip()), workers > 0, null);
        } catch (NumberFormatException | ArrayIndexOutOfBoundsException notThree) {
            throw new IllegalArgumentException(
                    "must be three numbers, WORKERS,PREFETCH,BATCH, but is '" + line + "'", notThree);
        }
    }
}
