/** The examples of the documentation, which knows no more of the library than a user does. */
@NullMarked
package io.loadertuner.example;

import org.jspecify.annotations.NullMarked;
