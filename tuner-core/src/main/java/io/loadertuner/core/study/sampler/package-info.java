/**
 * The samplers beside {@link io.loadertuner.core.study.OneAtATime}. They know the public API of a study and nothing else of
 * it, as a user's own would.
 */
@NullMarked
package io.loadertuner.core.study.sampler;

import org.jspecify.annotations.NullMarked;
