package io.loadertuner.service.security;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties under {@code loader-tuner.security}. They matter where tokens are needed.
 *
 * @param operatorToken a token of an operator's that is good while it is set: for where a secret is mounted and no command is run
 * @param codeRole who may have code of theirs run: {@code python} sources and step factories
 * @param studiesPerHour that can be queued with one token, above 0
 * @param rolesClaim the claim of an issuer's tokens that lists their roles
 */
@ConfigurationProperties("loader-tuner.security")
public record SecurityProperties(
        @Nullable String operatorToken,
        @DefaultValue("operator") Role codeRole,
        @DefaultValue("60") int studiesPerHour,
        @DefaultValue("roles") String rolesClaim) {
    private static final Pattern TOKEN = Pattern.compile(TokenText.PREFIX + "[!-~]{32,}");

    public SecurityProperties {
        if (operatorToken != null && !TOKEN.matcher(operatorToken).matches()) {
            throw new IllegalArgumentException("loader-tuner.security.operator-token must be " + TokenText.PREFIX
                    + " and at least 32 more visible ASCII characters");
        }
        if (studiesPerHour < 1) {
            throw new IllegalArgumentException(
                    "loader-tuner.security.studies-per-hour must be above 0, but is " + studiesPerHour);
        }
    }
}
