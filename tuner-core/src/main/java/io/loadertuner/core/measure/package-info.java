/**
 * From batch arrivals to a rate, from rates to an interval, from paired rates to a verdict. Pure functions of numbers:
 * starts no process, reads no clock, touches no file.
 */
@NullMarked
package io.loadertuner.core.measure;

import org.jspecify.annotations.NullMarked;
