/** Tuning again by the clock: schedules, the canary that each run starts with, and what comes of it. */
@NullMarked
package io.loadertuner.service.schedule;

import org.jspecify.annotations.NullMarked;
