package io.loadertuner.service.web;

import org.apache.catalina.core.StandardHost;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.CacheControl;
import org.springframework.web.filter.ShallowEtagHeaderFilter;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.ResourceHandlerRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/** How the web server is set up. */
@Configuration(proxyBeanMethods = false)
class WebConfiguration {
    private static final String RECOMMENDATIONS = "/api/v1/recommendations";

    @Bean
    WebMvcConfigurer knownParameters() {
        return new WebMvcConfigurer() {
            @Override
            public void addInterceptors(InterceptorRegistry registry) {
                registry.addInterceptor(new KnownParameters());
            }

            /** Kept by browsers, and asked for again each time by their date. */
            @Override
            public void addResourceHandlers(ResourceHandlerRegistry registry) {
                registry.addResourceHandler("/assets/**")
                        .addResourceLocations("classpath:/assets/")
                        .setCacheControl(CacheControl.noCache());
            }
        };
    }

    /** A launcher that asks again is told in a few bytes that nothing has changed. */
    @Bean
    FilterRegistrationBean<ShallowEtagHeaderFilter> recommendationTags() {
        FilterRegistrationBean<ShallowEtagHeaderFilter> tags =
                new FilterRegistrationBean<>(new ShallowEtagHeaderFilter());
        tags.addUrlPatterns(RECOMMENDATIONS, RECOMMENDATIONS + "/*");
        return tags;
    }

    @Bean
    WebServerFactoryCustomizer<TomcatServletWebServerFactory> problemReports() {
        return factory -> factory.addContextCustomizers(context -> {
            if (context.getParent() instanceof StandardHost host) {
                host.setErrorReportValveClass(ProblemReportValve.class.getName());
            }
        });
    }
}
