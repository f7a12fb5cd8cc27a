package io.loadertuner.service.security;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.springframework.security.core.authority.AuthorityUtils;
import org.springframework.security.oauth2.core.OAuth2AuthenticatedPrincipal;
import org.springframework.security.oauth2.server.resource.introspection.BadOpaqueTokenException;
import org.springframework.security.oauth2.server.resource.introspection.OAuth2IntrospectionAuthenticatedPrincipal;
import org.springframework.security.oauth2.server.resource.introspection.OpaqueTokenIntrospector;
import org.springframework.stereotype.Component;

/** Looks a token up at every call, so that one that is revoked is good for nothing from then on. */
@Component
class TokenIntrospector implements OpaqueTokenIntrospector {
    private static final AccessToken OPERATORS = new AccessToken(
            "operator-token", "loader-tuner.security.operator-token", Role.OPERATOR, Instant.EPOCH, null);

    private final TokenStore tokens;
    private final Optional<String> operatorsDigest;

    TokenIntrospector(TokenStore tokens, SecurityProperties properties) {
        this.tokens = tokens;
        this.operatorsDigest =
                Optional.ofNullable(properties.operatorToken()).map(text -> new TokenText(text).digest());
    }

    @Override
    public OAuth2AuthenticatedPrincipal introspect(String token) {
        String digest = new TokenText(token).digest();
        AccessToken known = operatorsDigest
                .filter(digest::equals)
                .map(same -> OPERATORS)
                .or(() -> tokens.good(digest))
                .orElseThrow(() -> new BadOpaqueTokenException("the token is not known, or was revoked"));
        return new OAuth2IntrospectionAuthenticatedPrincipal(
                known.id(),
                Map.of("name", known.name()),
                AuthorityUtils.createAuthorityList(authorities(known.role())));
    }

    static String[] authorities(Role role) {
        return role.included().stream().map(one -> "ROLE_" + one.name()).toArray(String[]::new);
    }
}
