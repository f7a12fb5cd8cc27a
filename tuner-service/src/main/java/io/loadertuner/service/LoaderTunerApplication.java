package io.loadertuner.service;

import io.loadertuner.service.security.TokenCommand;
import java.util.Arrays;
import org.springframework.boot.Banner;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;
import org.springframework.boot.webmvc.autoconfigure.error.ErrorMvcAutoConfiguration;
import org.springframework.scheduling.annotation.EnableScheduling;

/** The service's entry point. What no controller answers is answered by {@code web.ProblemReportValve}. */
@SpringBootApplication(exclude = ErrorMvcAutoConfiguration.class)
@ConfigurationPropertiesScan
@EnableScheduling
public class LoaderTunerApplication {
    private static final String TOKEN = "token";

    public static void main(String[] arguments) {
        if (arguments.length > 0 && arguments[0].equals(TOKEN)) {
            System.exit(TokenCommand.execute(Arrays.copyOfRange(arguments, 1, arguments.length)));
        }
        application().run(arguments);
    }

    /** The application, not started: for tests, which put other beans into it. */
    public static SpringApplicationBuilder application() {
        return new SpringApplicationBuilder(LoaderTunerApplication.class).bannerMode(Banner.Mode.OFF);
    }
}
