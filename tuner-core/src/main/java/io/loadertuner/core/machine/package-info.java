/**
 * What this machine is: the cores, memory, shared memory and GPUs that a training process here can in fact use, the type
 * under which machines share recommendations, and the lock that keeps two measurements on one machine apart.
 *
 * <p>Facts only, read from the operating system. What a search space or a budget makes of them is decided elsewhere, and
 * nothing here measures throughput, knows of datasets or depends on another package of the core.
 */
@NullMarked
package io.loadertuner.core.machine;

import org.jspecify.annotations.NullMarked;
