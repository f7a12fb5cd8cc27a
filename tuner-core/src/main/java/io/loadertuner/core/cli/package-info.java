/** The same loop from a terminal. Nothing else in the core depends on this package. */
@NullMarked
package io.loadertuner.core.cli;

import org.jspecify.annotations.NullMarked;
