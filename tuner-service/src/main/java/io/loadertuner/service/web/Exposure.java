package io.loadertuner.service.web;

/** Who can reach this service. */
public interface Exposure {
    /** Whether whoever reaches it may do everything: then nothing but this machine's own may reach it. */
    boolean isOpen();
}
