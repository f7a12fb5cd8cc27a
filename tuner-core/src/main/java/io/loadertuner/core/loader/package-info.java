/**
 * What a loader is to the tuner: a session that measures rounds of a dataset under a config, or fails with a named
 * reason. How PyTorch's loader is driven is in {@code loader.pytorch}.
 */
@NullMarked
package io.loadertuner.core.loader;

import org.jspecify.annotations.NullMarked;
