package io.loadertuner.service.settings;

import java.net.InetAddress;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.web.server.autoconfigure.ServerProperties;
import org.springframework.stereotype.Component;

/** Refuses to start where other machines could call: there are no access tokens that they could show. */
@Component
final class LoopbackOnly {

    LoopbackOnly(ServerProperties server) {
        require(server.getAddress());
    }

    /**
     * @throws UnusableSettingException unless the address is a loopback address
     */
    static void require(@Nullable InetAddress address) {
        if (address == null || !address.isLoopbackAddress()) {
            throw new UnusableSettingException(
                    "The service would listen on " + (address == null ? "every address" : address.getHostAddress())
                            + ", where other machines can reach it, and has no access control yet.",
                    "Leave server.address at 127.0.0.1, or set it to another loopback address. To call the service from"
                            + " elsewhere, forward a port (ssh -L).",
                    null);
        }
    }
}
