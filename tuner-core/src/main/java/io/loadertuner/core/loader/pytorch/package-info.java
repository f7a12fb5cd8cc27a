/**
 * PyTorch's {@code DataLoader}, driven by the probe in a child process. The protocol is in {@code docs/probe.md}. Only
 * this package starts the probe and reads what it says.
 */
@NullMarked
package io.loadertuner.core.loader.pytorch;

import org.jspecify.annotations.NullMarked;
