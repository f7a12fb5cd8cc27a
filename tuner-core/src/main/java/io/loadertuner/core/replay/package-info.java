/**
 * Searches run offline, in milliseconds a study, over recorded surfaces and models with the noise and drift of real
 * machines. Nothing here is a measurement, and nothing that comes out of here is ever stored as a recommendation. Starts no
 * process, reads no clock, touches no file.
 */
@NullMarked
package io.loadertuner.core.replay;

import org.jspecify.annotations.NullMarked;
