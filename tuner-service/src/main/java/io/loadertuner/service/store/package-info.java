/** How values are written into columns. */
@NullMarked
package io.loadertuner.service.store;

import org.jspecify.annotations.NullMarked;
