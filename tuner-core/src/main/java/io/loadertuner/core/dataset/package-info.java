/** What to load and how to build it: the dataset descriptor, its source and its training step. Values only. */
@NullMarked
package io.loadertuner.core.dataset;

import org.jspecify.annotations.NullMarked;
