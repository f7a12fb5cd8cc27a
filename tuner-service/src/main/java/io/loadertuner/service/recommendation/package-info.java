/** The best known config for a dataset on a machine type. */
@NullMarked
package io.loadertuner.service.recommendation;

import org.jspecify.annotations.NullMarked;
