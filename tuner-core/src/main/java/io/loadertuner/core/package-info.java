/** Loader Tuner's core: everything that knows how to tune a data loader. Plain Java, no Spring. */
@NullMarked
package io.loadertuner.core;

import org.jspecify.annotations.NullMarked;
