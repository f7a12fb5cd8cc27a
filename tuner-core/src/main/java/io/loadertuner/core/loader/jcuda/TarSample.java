package io.loadertuner.core.loader.jcuda;

import java.nio.file.Path;

/**
 * Where the image of a sample lies.
 *
 * @param name of the image within the shard
 * @param offset where its bytes begin in the shard
 * @param classNumber 0 where the sample has none
 */
record TarSample(Path shard, String name, long offset, int sizeBytes, long classNumber) {}
