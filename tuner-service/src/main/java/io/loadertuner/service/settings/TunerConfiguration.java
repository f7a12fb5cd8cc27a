package io.loadertuner.service.settings;

import io.loadertuner.core.json.TunerJson;
import io.loadertuner.core.loader.Loader;
import io.loadertuner.core.loader.pytorch.AllowedRoots;
import io.loadertuner.core.loader.pytorch.PyTorchLoader;
import io.loadertuner.core.loader.pytorch.PythonInterpreters;
import io.loadertuner.core.machine.MachineInspector;
import io.loadertuner.service.machine.ThisMachine;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.springframework.boot.autoconfigure.condition.ConditionalOnExpression;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import tools.jackson.databind.json.JsonMapper;

/** The core's parts, put together from the properties. */
@Configuration(proxyBeanMethods = false)
class TunerConfiguration {

    @Bean
    JsonMapper jsonMapper() {
        return TunerJson.mapper();
    }

    @Bean
    InstantSource clock() {
        return InstantSource.system();
    }

    @Bean
    Home home(TunerProperties properties) {
        return Home.at(properties.homeFolder());
    }

    @Bean
    @ConditionalOnExpression("'${spring.datasource.url:}'.isEmpty()")
    JdbcConnectionDetails embeddedDatabase(Home home) {
        return new EmbeddedDatabase(home.databaseUrl());
    }

    private record EmbeddedDatabase(String url) implements JdbcConnectionDetails {
        @Override
        public String getUsername() {
            return "sa";
        }

        @Override
        public String getPassword() {
            return "";
        }

        @Override
        public String getJdbcUrl() {
            return url;
        }
    }

    @Bean
    ThisMachine thisMachine(TunerProperties properties) {
        return new ThisMachine(MachineInspector.live()::inspect, properties.machineType());
    }

    @Bean
    PythonInterpreters interpreters(TunerProperties properties) {
        Map<String, Path> configured = properties.environments().entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, entry -> Path.of(entry.getValue())));
        return new PythonInterpreters(configured, System.getenv());
    }

    @Bean
    @ConditionalOnMissingBean
    Loader loader(PythonInterpreters interpreters, TunerProperties properties) {
        List<Path> code = absolute(properties.codeRoots());
        List<Path> data = absolute(properties.dataRoots().isEmpty() ? List.of(".") : properties.dataRoots());
        return new PyTorchLoader(
                interpreters,
                properties.limits().timeLimits(),
                System.getenv(),
                properties.passedEnvironment(),
                new AllowedRoots(code, data, code));
    }

    private static List<Path> absolute(List<String> folders) {
        return folders.stream().map(folder -> Path.of(folder).toAbsolutePath()).toList();
    }
}
