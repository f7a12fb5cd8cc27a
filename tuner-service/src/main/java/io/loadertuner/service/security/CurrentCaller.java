package io.loadertuner.service.security;

import io.github.bucket4j.Bucket;
import io.github.bucket4j.ConsumptionProbe;
import io.loadertuner.service.study.Caller;
import io.loadertuner.service.study.CallerRefusedException;
import io.loadertuner.service.study.TooManyStudiesException;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.oauth2.core.OAuth2AuthenticatedPrincipal;
import org.springframework.stereotype.Component;

/** Whoever the token of the call at hand was made for; where none is needed, everything is allowed. */
@Component
class CurrentCaller implements Caller, Visitor {
    /** What is stored of one. */
    private static final int LONGEST_NAME = 200;

    private final Access access;
    private final Role codeRole;
    private final int studiesPerHour;
    private final Map<String, Bucket> allowances = new ConcurrentHashMap<>();

    CurrentCaller(Access access, SecurityProperties properties) {
        this.access = access;
        this.codeRole = properties.codeRole();
        this.studiesPerHour = properties.studiesPerHour();
    }

    @Override
    public Optional<String> name() {
        Authentication caller = SecurityContextHolder.getContext().getAuthentication();
        if (access.isOpen() || caller == null) {
            return Optional.empty();
        }
        return Optional.ofNullable(
                        caller.getPrincipal() instanceof OAuth2AuthenticatedPrincipal token
                                        && token.getAttribute("name") instanceof String name
                                ? name
                                : caller.getName())
                .map(name -> name.substring(0, Math.min(name.length(), LONGEST_NAME)));
    }

    @Override
    public boolean mayLaunch() {
        return has(Role.LAUNCHER);
    }

    @Override
    public boolean mayOperate() {
        return has(Role.OPERATOR);
    }

    private boolean has(Role role) {
        Authentication caller = SecurityContextHolder.getContext().getAuthentication();
        return access.isOpen()
                || (caller != null
                        && caller.getAuthorities().stream()
                                .anyMatch(authority -> ("ROLE_" + role.name()).equals(authority.getAuthority())));
    }

    @Override
    public void requireCode() {
        if (!has(codeRole)) {
            throw new CallerRefusedException("source.kind: code is run only for the role " + codeRole.word()
                    + "; the operator sets it with loader-tuner.security.code-role");
        }
    }

    @Override
    public void requireAnotherStudy() {
        Authentication caller = SecurityContextHolder.getContext().getAuthentication();
        if (access.isOpen() || caller == null) {
            return;
        }
        // Of callers who have queued nothing for an hour nothing is to be known.
        allowances.values().removeIf(bucket -> bucket.getAvailableTokens() >= studiesPerHour);
        ConsumptionProbe probe = allowances
                .computeIfAbsent(Objects.requireNonNullElse(caller.getName(), ""), any -> allowance())
                .tryConsumeAndReturnRemaining(1);
        if (!probe.isConsumed()) {
            throw new TooManyStudiesException(studiesPerHour, Duration.ofNanos(probe.getNanosToWaitForRefill()));
        }
    }

    private Bucket allowance() {
        return Bucket.builder()
                .addLimit(limit -> limit.capacity(studiesPerHour).refillGreedy(studiesPerHour, Duration.ofHours(1)))
                .build();
    }
}
