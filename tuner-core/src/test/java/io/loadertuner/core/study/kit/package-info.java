/** The suite that every sampler passes; it knows the public API of a study alone, and is published for samplers of others. */
@NullMarked
package io.loadertuner.core.study.kit;

import org.jspecify.annotations.NullMarked;
