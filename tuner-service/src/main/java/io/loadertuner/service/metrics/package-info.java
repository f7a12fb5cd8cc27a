/** What meters of several features have in common. */
@NullMarked
package io.loadertuner.service.metrics;

import org.jspecify.annotations.NullMarked;
