/** Who may call, and what. */
@NullMarked
package io.loadertuner.service.security;

import org.jspecify.annotations.NullMarked;
