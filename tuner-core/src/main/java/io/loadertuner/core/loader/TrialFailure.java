package io.loadertuner.core.loader;

import java.util.Map;

/**
 * Why a trial or a study failed.
 *
 * @param message what was seen
 * @param advice what to do about it
 * @param details the evidence: exception, traceback, signal, stacks, log
 */
public record TrialFailure(FailureReason reason, String message, String advice, Map<String, Object> details) {

    public static TrialFailure of(FailureReason reason, String message, Map<String, Object> details) {
        return new TrialFailure(reason, message, reason.advice(), details);
    }

    public static TrialFailure of(FailureReason reason, String message) {
        return of(reason, message, Map.of());
    }
}
