package io.loadertuner.service.security;

import io.loadertuner.service.settings.UnusableSettingException;
import io.loadertuner.service.web.Exposure;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.web.server.autoconfigure.ServerProperties;
import org.springframework.stereotype.Component;

/**
 * Whether anybody on this machine may do anything, because nobody was ever given a token and no issuer of tokens is named.
 * Decided when the service starts; it does not start where other machines could then call.
 */
@Component
class Access implements Exposure {
    private final boolean open;

    Access(
            TokenStore tokens,
            ServerProperties server,
            SecurityProperties properties,
            @Value("${spring.security.oauth2.resourceserver.jwt.issuer-uri:}") String issuer) {
        this.open = issuer.isEmpty() && properties.operatorToken() == null && !tokens.any();
        if (open) {
            requireLoopback(server.getAddress());
        }
    }

    @Override
    public boolean isOpen() {
        return open;
    }

    /**
     * @throws UnusableSettingException unless the address is a loopback address
     */
    static void requireLoopback(@Nullable InetAddress address) {
        if (address == null || !address.isLoopbackAddress()) {
            throw new UnusableSettingException(
                    "The service would listen on " + (address == null ? "every address" : address.getHostAddress())
                            + ", where other machines can reach it, and nobody would need a token.",
                    "Make a token (java -jar tuner-service.jar token create --role operator --name NAME), or name an issuer"
                            + " of tokens with spring.security.oauth2.resourceserver.jwt.issuer-uri, or leave"
                            + " server.address at 127.0.0.1.",
                    null);
        }
    }
}
