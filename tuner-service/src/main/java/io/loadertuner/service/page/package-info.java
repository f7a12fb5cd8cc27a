/**
 * The web page. A controller asks for what is known and hands a template a record that has everything ready to be shown: texts,
 * addresses, and the places of all marks of a plot. Whatever the page changes it changes by the calls that everybody has.
 */
@NullMarked
package io.loadertuner.service.page;

import org.jspecify.annotations.NullMarked;
