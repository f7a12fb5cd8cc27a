package io.loadertuner.service;

import org.springframework.boot.Banner;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;
import org.springframework.boot.webmvc.autoconfigure.error.ErrorMvcAutoConfiguration;

/** The service's entry point. What no controller answers is answered by {@code web.ProblemReportValve}. */
@SpringBootApplication(exclude = ErrorMvcAutoConfiguration.class)
@ConfigurationPropertiesScan
public class LoaderTunerApplication {

    public static void main(String[] arguments) {
        application().run(arguments);
    }

    /** The application, not started: for tests, which put other beans into it. */
    public static SpringApplicationBuilder application() {
        return new SpringApplicationBuilder(LoaderTunerApplication.class).bannerMode(Banner.Mode.OFF);
    }
}
