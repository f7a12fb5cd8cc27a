package io.loadertuner.service.security;

import io.loadertuner.service.web.Problem;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.security.authentication.AuthenticationManager;
import org.springframework.security.authentication.AuthenticationManagerResolver;
import org.springframework.security.authentication.ProviderManager;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.config.http.SessionCreationPolicy;
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

/** Which role each call needs. Own tokens and those of the operator's issuer are shown in the same header. */
@Configuration(proxyBeanMethods = false)
class SecurityConfiguration {

    @Bean
    SecurityFilterChain calls(
            HttpSecurity http,
            Access access,
            TokenIntrospector tokens,
            ObjectProvider<JwtDecoder> issuer,
            SecurityProperties properties) {
        // No cookie says who calls, so no page elsewhere can call in somebody's name.
        http.csrf(AbstractHttpConfigurer::disable)
                .headers(AbstractHttpConfigurer::disable)
                .logout(AbstractHttpConfigurer::disable)
                .requestCache(AbstractHttpConfigurer::disable)
                .sessionManagement(sessions -> sessions.sessionCreationPolicy(SessionCreationPolicy.STATELESS));
        if (access.isOpen()) {
            return http.authorizeHttpRequests(calls -> calls.anyRequest().permitAll())
                    .build();
        }
        return http.authorizeHttpRequests(calls -> calls.requestMatchers("/actuator/health/**")
                        .permitAll()
                        .requestMatchers("/api/v1/tokens/**")
                        .hasRole(Role.OPERATOR.name())
                        .requestMatchers(HttpMethod.GET, "/**")
                        .hasRole(Role.VIEWER.name())
                        .requestMatchers(HttpMethod.HEAD, "/**")
                        .hasRole(Role.VIEWER.name())
                        .requestMatchers("/api/v1/recommendations", "/api/v1/studies/**", "/api/v1/descriptors/**")
                        .hasRole(Role.LAUNCHER.name())
                        .anyRequest()
                        .hasRole(Role.OPERATOR.name()))
                .addFilterBefore(new UnansweredTokens(), BearerTokenAuthenticationFilter.class)
                .oauth2ResourceServer(server -> server.authenticationManagerResolver(
                                resolver(tokens, issuer.getIfAvailable(), properties.rolesClaim()))
                        .authenticationEntryPoint((request, answer, refused) -> unauthenticated(answer))
                        .accessDeniedHandler((request, answer, refused) -> forbidden(answer)))
                .exceptionHandling(
                        errors -> errors.authenticationEntryPoint((request, answer, refused) -> unauthenticated(answer))
                                .accessDeniedHandler((request, answer, refused) -> forbidden(answer)))
                .build();
    }

    private static AuthenticationManagerResolver<HttpServletRequest> resolver(
            TokenIntrospector tokens, @Nullable JwtDecoder issuer, String rolesClaim) {
        AuthenticationManager own = new ProviderManager(new OpaqueTokenAuthenticationProvider(tokens));
        if (issuer == null) {
            return request -> own;
        }
        JwtAuthenticationConverter converter = new JwtAuthenticationConverter();
        converter.setJwtGrantedAuthoritiesConverter(token -> authorities(token, rolesClaim));
        JwtAuthenticationProvider provider = new JwtAuthenticationProvider(issuer);
        provider.setJwtAuthenticationConverter(converter);
        AuthenticationManager foreign = new ProviderManager(provider);
        DefaultBearerTokenResolver shown = new DefaultBearerTokenResolver();
        return request ->
                Objects.requireNonNullElse(shown.resolve(request), "").startsWith(TokenText.PREFIX) ? own : foreign;
    }

    private static Collection<GrantedAuthority> authorities(Jwt token, String rolesClaim) {
        List<String> claimed = Objects.requireNonNullElse(token.getClaimAsStringList(rolesClaim), List.of());
        return AuthorityUtils.createAuthorityList(Arrays.stream(Role.values())
                .filter(role -> claimed.contains(role.word()))
                .flatMap(role -> Arrays.stream(TokenIntrospector.authorities(role)))
                .distinct()
                .toArray(String[]::new));
    }

    private static void unauthenticated(HttpServletResponse answer) throws IOException {
        answer.setHeader(HttpHeaders.WWW_AUTHENTICATE, "Bearer");
        Problem.of(
                        HttpStatus.UNAUTHORIZED,
                        "unauthenticated",
                        "A token is needed",
                        "this call needs a good token in the header Authorization: Bearer TOKEN")
                .writeTo(answer);
    }

    private static void forbidden(HttpServletResponse answer) throws IOException {
        Problem.of(
                        HttpStatus.FORBIDDEN,
                        "forbidden",
                        "The token's role does not allow this",
                        "viewers read, launchers also ask for recommendations and post studies, operators do everything")
                .writeTo(answer);
    }
}
