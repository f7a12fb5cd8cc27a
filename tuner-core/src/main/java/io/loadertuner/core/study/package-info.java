/**
 * The search: which config to measure next, given everything measured so far, and what to recommend in the end. A
 * search is a function of its history, so a study that was cut off goes on by handing the stored history in again.
 * Starts no process, reads no clock, touches no file.
 */
@NullMarked
package io.loadertuner.core.study;

import org.jspecify.annotations.NullMarked;
