/** What limits the loader, and what else was noticed of dataset and machine, in words. Values only. */
@NullMarked
package io.loadertuner.core.diagnosis;

import org.jspecify.annotations.NullMarked;
