package io.loadertuner.service.store;

/**
 * A study was posted, began or got on, a machine type was seen, or a recommendation was found to hold or not: what is answered to lookups may be another thing now.
 */
public record KnowledgeChanged() {}
