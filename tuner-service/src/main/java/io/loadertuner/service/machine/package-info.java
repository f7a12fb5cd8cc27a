/** The machine that the service measures on, and the machine types it has met. */
@NullMarked
package io.loadertuner.service.machine;

import org.jspecify.annotations.NullMarked;
