/** What every call has in common: who may call, problems as answers, pages of lists. */
@NullMarked
package io.loadertuner.service.web;

import org.jspecify.annotations.NullMarked;
