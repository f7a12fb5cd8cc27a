/** The service: a thin house around the core. A controller translates, a service decides, the core knows. */
@NullMarked
package io.loadertuner.service;

import org.jspecify.annotations.NullMarked;
