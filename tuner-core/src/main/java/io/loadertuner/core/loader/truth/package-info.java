/**
 * Whether a config delivers what 0 workers deliver: wrong, doubled or missing samples are no throughput. Compares digests;
 * how they are had is the loader's.
 */
@NullMarked
package io.loadertuner.core.loader.truth;

import org.jspecify.annotations.NullMarked;
