/** What the operator sets, and what is refused of it when the service starts. */
@NullMarked
package io.loadertuner.service.settings;

import org.jspecify.annotations.NullMarked;
