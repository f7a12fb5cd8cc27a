/**
 * The loop that ties everything together: a request in, trials through a loader, a report out. What is measured goes to
 * a journal as it ends, and a study that was cut off goes on from there.
 */
@NullMarked
package io.loadertuner.core.tuning;

import org.jspecify.annotations.NullMarked;
