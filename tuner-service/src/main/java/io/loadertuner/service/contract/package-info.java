/** The document that says what every call takes and answers. */
@NullMarked
package io.loadertuner.service.contract;

import org.jspecify.annotations.NullMarked;
