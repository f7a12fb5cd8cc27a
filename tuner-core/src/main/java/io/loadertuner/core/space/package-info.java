/**
 * Loader configs and the space they are searched in: values and the constraints between them. Starts no process, reads
 * no clock, touches no file.
 */
@NullMarked
package io.loadertuner.core.space;

import org.jspecify.annotations.NullMarked;
