package io.loadertuner.service.settings;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Says on the terminal what is wrong with a setting, without a stack trace. */
final class UnusableSettingAnalyzer extends AbstractFailureAnalyzer<UnusableSettingException> {
    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, UnusableSettingException cause) {
        return new FailureAnalysis(String.valueOf(cause.getMessage()), cause.remedy(), cause);
    }
}
