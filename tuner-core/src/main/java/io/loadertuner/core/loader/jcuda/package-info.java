/**
 * A loader in the JVM: threads that read, decode and collate straight into the memory that a batch is handed over in.
 * {@link io.loadertuner.core.loader.jcuda.DataLoader} is for use in programs of one's own.
 */
@NullMarked
package io.loadertuner.core.loader.jcuda;

import org.jspecify.annotations.NullMarked;
