/** Studies: posted, queued, run one at a time, stored as they go. */
@NullMarked
package io.loadertuner.service.study;

import org.jspecify.annotations.NullMarked;
