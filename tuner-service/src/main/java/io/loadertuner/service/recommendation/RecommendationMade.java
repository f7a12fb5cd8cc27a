package io.loadertuner.service.recommendation;

/**
 * Tells whoever listens that a recommendation was stored.
 *
 * @param changed whether another config is recommended now than before
 */
record RecommendationMade(boolean changed) {}
