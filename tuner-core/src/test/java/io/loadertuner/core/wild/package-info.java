/** How loaders misbehave, row by row of {@code docs/wild-cases.md}, as whole studies over the real DataLoader. */
@NullMarked
package io.loadertuner.core.wild;

import org.jspecify.annotations.NullMarked;
