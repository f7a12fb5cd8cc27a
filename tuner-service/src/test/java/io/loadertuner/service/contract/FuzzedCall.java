package io.loadertuner.service.contract;

import io.loadertuner.service.contract.Contract.Call;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A call as it is sent, and what the contract says of it.
 *
 * @param described the call that was meant
 * @param target path and query as they are sent
 * @param headers whole lines
 * @param body null where there is none
 * @param sound whether it is as the contract wants it
 * @param refusedFor why it must not succeed; null if it may
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record FuzzedCall(
        Call described,
        String method,
        String target,
        List<String> headers,
        byte @Nullable [] body,
        boolean sound,
        @Nullable String refusedFor) {

    @Override
    public String toString() {
        byte[] sent = body;
        String text = sent == null ? "" : new String(sent, StandardCharsets.UTF_8);
        return "%s %s %s %s (must be refused for: %s)"
                .formatted(
                        method,
                        target.substring(0, Math.min(500, target.length())),
                        headers.stream()
                                .map(line -> line.substring(0, Math.min(200, line.length())))
                                .toList(),
                        text.substring(0, Math.min(1500, text.length())),
                        refusedFor);
    }
}
