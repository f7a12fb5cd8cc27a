package io.loadertuner.service.settings;

import org.jspecify.annotations.Nullable;

/** A setting with which the service does not start. */
public final class UnusableSettingException extends IllegalStateException {
    private static final long serialVersionUID = 1L;
    private final String remedy;

    public UnusableSettingException(String problem, String remedy, @Nullable Throwable cause) {
        super(problem, cause);
        this.remedy = remedy;
    }

    public String remedy() {
        return remedy;
    }
}
