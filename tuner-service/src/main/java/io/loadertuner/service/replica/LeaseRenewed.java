package io.loadertuner.service.replica;

/** This service lives on; what others held whose lease has ended may be taken. */
public record LeaseRenewed() {}
