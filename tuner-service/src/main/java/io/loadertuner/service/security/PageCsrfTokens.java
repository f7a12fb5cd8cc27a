package io.loadertuner.service.security;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.HexFormat;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;
import org.springframework.security.web.csrf.CsrfToken;
import org.springframework.security.web.csrf.CsrfTokenRepository;
import org.springframework.security.web.csrf.DefaultCsrfToken;

/**
 * What only a page of this service can know of the cookie that a browser shows: it follows from the cookie, so that nothing has to
 * be kept, and the cookie does not follow from it.
 */
final class PageCsrfTokens implements CsrfTokenRepository {
    static final String HEADER = "X-CSRF-Token";

    private static final String ALGORITHM = "HmacSHA256";
    private static final byte[] PURPOSE = "page".getBytes(StandardCharsets.US_ASCII);
    private static final String NOBODY = "nobody";

    @Override
    public CsrfToken generateToken(HttpServletRequest request) {
        return new DefaultCsrfToken(
                HEADER,
                "_csrf",
                PageCookie.token(request).map(PageCsrfTokens::of).orElse(NOBODY));
    }

    @Override
    public void saveToken(@Nullable CsrfToken token, HttpServletRequest request, HttpServletResponse response) {
        // It is made anew from the cookie at every call.
    }

    @Override
    public @Nullable CsrfToken loadToken(HttpServletRequest request) {
        Optional<String> shown = PageCookie.token(request);
        return shown.isPresent() ? generateToken(request) : null;
    }

    private static String of(String token) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(token.getBytes(StandardCharsets.UTF_8), ALGORITHM));
            return HexFormat.of().formatHex(mac.doFinal(PURPOSE));
        } catch (GeneralSecurityException missing) {
            throw new IllegalStateException("every JDK has " + ALGORITHM, missing);
        }
    }
}
