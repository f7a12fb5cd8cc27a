package io.loadertuner.core.diagnosis;

/**
 * A statement about the dataset or the machine with its evidence and the remedy.
 *
 * @param code a stable name
 * @param severity {@code info} or {@code warning}
 */
public record Finding(String code, String severity, String evidence, String remedy) {}
