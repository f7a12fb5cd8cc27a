/** Where trials run. */
@NullMarked
package io.loadertuner.service.runner;

import org.jspecify.annotations.NullMarked;
