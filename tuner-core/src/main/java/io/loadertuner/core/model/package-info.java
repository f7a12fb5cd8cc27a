/**
 * A model of PyTorch's {@code DataLoader}, of a machine and of a training step, in simulated time: what a benchmark or a
 * test replays studies against where no loader runs. Everything here is calculated and named so; nothing is measured.
 * Starts no process, reads no clock, touches no file; the same seed gives the same arrivals.
 */
@NullMarked
package io.loadertuner.core.model;

import org.jspecify.annotations.NullMarked;
