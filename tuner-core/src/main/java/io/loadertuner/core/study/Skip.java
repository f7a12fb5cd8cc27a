package io.loadertuner.core.study;

import io.loadertuner.core.space.LoaderConfig;

/** A config that was not measured, and why. */
public record Skip(LoaderConfig config, String reason) {}
