/** What limits the loader, in words. Values only. */
@NullMarked
package io.loadertuner.core.diagnosis;

import org.jspecify.annotations.NullMarked;
