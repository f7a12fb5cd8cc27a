package io.loadertuner.service.web;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Names the parameters that a call reads by itself, each of which may be given once. */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface CallParameters {
    String[] value();

    /** Those of them that must be given. */
    String[] needed() default {};
}
