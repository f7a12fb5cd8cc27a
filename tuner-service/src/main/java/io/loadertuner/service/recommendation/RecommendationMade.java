package io.loadertuner.service.recommendation;

/**
 * Tells whoever listens that a recommendation was stored, or was found to hold or not.
 *
 * @param changed whether another config is recommended now than before
 */
record RecommendationMade(boolean changed) {}
