/** The client for training jobs, as it is served. */
@NullMarked
package io.loadertuner.service.client;

import org.jspecify.annotations.NullMarked;
