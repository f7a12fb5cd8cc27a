package io.loadertuner.service.recommendation;

/** Tells whoever listens that a recommendation was stored. */
record RecommendationMade() {}
