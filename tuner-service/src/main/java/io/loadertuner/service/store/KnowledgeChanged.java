package io.loadertuner.service.store;

/** A study was posted, began or got on, or a machine type was seen: what is answered to lookups may be another thing now. */
public record KnowledgeChanged() {}
