/** The one way in which this project writes and reads JSON. */
@NullMarked
package io.loadertuner.core.json;

import org.jspecify.annotations.NullMarked;
