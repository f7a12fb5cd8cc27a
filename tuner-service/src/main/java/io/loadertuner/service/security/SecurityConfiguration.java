package io.loadertuner.service.security;

import io.loadertuner.service.web.Problem;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.authentication.AuthenticationManager;
import org.springframework.security.authentication.AuthenticationManagerResolver;
import org.springframework.security.authentication.ProviderManager;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.config.http.SessionCreationPolicy;
import org.springframework.security.config.observation.SecurityObservationSettings;
import org.springframework.security.core.GrantedAuthority;
import org.springframework.security.core.authority.AuthorityUtils;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.server.resource.authentication.JwtAuthenticationConverter;
import org.springframework.security.oauth2.server.resource.authentication.JwtAuthenticationProvider;
import org.springframework.security.oauth2.server.resource.authentication.OpaqueTokenAuthenticationProvider;
import org.springframework.security.oauth2.server.resource.web.DefaultBearerTokenResolver;
import org.springframework.security.oauth2.server.resource.web.authentication.BearerTokenAuthenticationFilter;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.csrf.CsrfException;

/** Which role each call needs. Own tokens and those of the operator's issuer are shown in the same header. */
@Configuration(proxyBeanMethods = false)
class SecurityConfiguration {
    /** What the page for logging in is made of, and what is asked by nobody in particular. */
    private static final String[] PUBLIC = {"/actuator/health/**", "/login", "/assets/**"};

    private static final Set<String> CHANGE_NOTHING = Set.of("GET", "HEAD", "OPTIONS");

    @Bean
    SecurityFilterChain calls(HttpSecurity http, Access access, AuthenticationManagerResolver<String> whoKnows) {
        http.headers(AbstractHttpConfigurer::disable)
                .logout(AbstractHttpConfigurer::disable)
                .requestCache(AbstractHttpConfigurer::disable)
                .sessionManagement(sessions -> sessions.sessionCreationPolicy(SessionCreationPolicy.STATELESS));
        if (access.isOpen()) {
            // No cookie says who calls, so no page elsewhere can call in somebody's name.
            return http.csrf(AbstractHttpConfigurer::disable)
                    .authorizeHttpRequests(calls -> calls.anyRequest().permitAll())
                    .build();
        }
        return http.csrf(forged -> forged.csrfTokenRepository(new PageCsrfTokens())
                        .requireCsrfProtectionMatcher(SecurityConfiguration::changesSomethingByCookie))
                .authorizeHttpRequests(calls -> calls.requestMatchers(PUBLIC)
                        .permitAll()
                        .requestMatchers("/api/v1/tokens/**")
                        .hasRole(Role.OPERATOR.name())
                        .requestMatchers(HttpMethod.POST, "/page/session")
                        .permitAll()
                        .requestMatchers(HttpMethod.DELETE, "/page/session")
                        .permitAll()
                        .requestMatchers(HttpMethod.GET, "/**")
                        .hasRole(Role.VIEWER.name())
                        .requestMatchers(HttpMethod.HEAD, "/**")
                        .hasRole(Role.VIEWER.name())
                        .requestMatchers("/api/v1/recommendations", "/api/v1/studies/**", "/api/v1/descriptors/**")
                        .hasRole(Role.LAUNCHER.name())
                        .anyRequest()
                        .hasRole(Role.OPERATOR.name()))
                .addFilterBefore(new UnansweredTokens(), BearerTokenAuthenticationFilter.class)
                .addFilterBefore(new CookieAsHeader(), UnansweredTokens.class)
                .oauth2ResourceServer(server -> server.authenticationManagerResolver(shown(whoKnows))
                        .authenticationEntryPoint((request, answer, refused) -> unauthenticated(request, answer))
                        .accessDeniedHandler((request, answer, refused) -> forbidden(answer, refused)))
                .exceptionHandling(errors -> errors.authenticationEntryPoint(
                                (request, answer, refused) -> unauthenticated(request, answer))
                        .accessDeniedHandler((request, answer, refused) -> forbidden(answer, refused)))
                .build();
    }

    private static boolean changesSomethingByCookie(HttpServletRequest request) {
        return !CHANGE_NOTHING.contains(request.getMethod())
                && PageCookie.token(request).isPresent();
    }

    private static AuthenticationManagerResolver<HttpServletRequest> shown(
            AuthenticationManagerResolver<String> whoKnows) {
        DefaultBearerTokenResolver header = new DefaultBearerTokenResolver();
        return request -> whoKnows.resolve(Objects.requireNonNullElse(header.resolve(request), ""));
    }

    /** Who knows a token, by how it begins. */
    /** A span and a timer around each filter of each call would be a fifth of what a lookup takes. */
    @Bean
    SecurityObservationSettings noSpansOfFilters() {
        return SecurityObservationSettings.noObservations();
    }

    @Bean
    AuthenticationManagerResolver<String> whoKnows(
            TokenIntrospector tokens, ObjectProvider<JwtDecoder> issuers, SecurityProperties properties) {
        JwtDecoder issuer = issuers.getIfAvailable();
        AuthenticationManager own = new ProviderManager(new OpaqueTokenAuthenticationProvider(tokens));
        if (issuer == null) {
            return token -> own;
        }
        JwtAuthenticationConverter converter = new JwtAuthenticationConverter();
        converter.setJwtGrantedAuthoritiesConverter(token -> authorities(token, properties.rolesClaim()));
        JwtAuthenticationProvider provider = new JwtAuthenticationProvider(issuer);
        provider.setJwtAuthenticationConverter(converter);
        AuthenticationManager foreign = new ProviderManager(provider);
        return token -> token.startsWith(TokenText.PREFIX) ? own : foreign;
    }

    private static Collection<GrantedAuthority> authorities(Jwt token, String rolesClaim) {
        List<String> claimed = Objects.requireNonNullElse(token.getClaimAsStringList(rolesClaim), List.of());
        return AuthorityUtils.createAuthorityList(Arrays.stream(Role.values())
                .filter(role -> claimed.contains(role.word()))
                .flatMap(role -> Arrays.stream(TokenIntrospector.authorities(role)))
                .distinct()
                .toArray(String[]::new));
    }

    /** Who wants to look at a page is shown where to log in; with the page's address, to come back to it. */
    private static void unauthenticated(HttpServletRequest request, HttpServletResponse answer) throws IOException {
        String accepted = Objects.requireNonNullElse(request.getHeader(HttpHeaders.ACCEPT), "");
        if (request.getMethod().equals("GET") && accepted.contains(MediaType.TEXT_HTML_VALUE)) {
            String query = request.getQueryString();
            String from = request.getRequestURI() + (query == null ? "" : "?" + query);
            answer.sendRedirect("/login?from=" + URLEncoder.encode(from, StandardCharsets.UTF_8));
            return;
        }
        answer.setHeader(HttpHeaders.WWW_AUTHENTICATE, "Bearer");
        Problem.of(
                        HttpStatus.UNAUTHORIZED,
                        "unauthenticated",
                        "A token is needed",
                        "this call needs a good token in the header Authorization: Bearer TOKEN")
                .writeTo(answer);
    }

    private static void forbidden(HttpServletResponse answer, AccessDeniedException refused) throws IOException {
        if (refused instanceof CsrfException) {
            Problem.of(
                            HttpStatus.FORBIDDEN,
                            "forged",
                            "The call did not come from a page of this service",
                            "with a cookie a call that changes something needs the header " + PageCsrfTokens.HEADER
                                    + ", as the page sends it; load the page again")
                    .writeTo(answer);
            return;
        }
        Problem.of(
                        HttpStatus.FORBIDDEN,
                        "forbidden",
                        "The token's role does not allow this",
                        "viewers read, launchers also ask for recommendations and post studies, operators do everything")
                .writeTo(answer);
    }
}
