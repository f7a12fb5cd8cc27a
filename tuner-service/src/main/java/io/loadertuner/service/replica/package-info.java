/** Several services on one database: which of them live, and what they tell each other. */
@NullMarked
package io.loadertuner.service.replica;

import org.jspecify.annotations.NullMarked;
