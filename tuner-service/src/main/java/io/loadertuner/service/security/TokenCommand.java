package io.loadertuner.service.security;

import io.loadertuner.core.dataset.DatasetDescriptor;
import io.loadertuner.core.space.InvalidFieldException;
import io.loadertuner.service.LoaderTunerApplication;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;
import org.springframework.boot.WebApplicationType;
import org.springframework.context.ConfigurableApplicationContext;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code java -jar tuner-service.jar token …}: makes the first tokens. An embedded database is the service's alone while it
 * runs; there this is for before.
 */
@Command(
        name = "token",
        description =
                "Makes, lists and revokes access tokens. The service's own properties may follow, as --loader-tuner.home=FOLDER.",
        mixinStandardHelpOptions = true)
public final class TokenCommand {
    /** What has a dot in its name is for the service. */
    private static final String PROPERTY = "--[a-z-]+\\..*";

    /** On standard output there is nothing but the answer. */
    private static final String QUIET = "--logging.level.io.loadertuner=warn";

    private final List<String> properties;

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    private TokenCommand(List<String> properties) {
        this.properties = properties;
    }

    /** @return the exit status: 0 done, 1 the database cannot be used or there is no such token, 2 malformed */
    public static int execute(String... arguments) {
        List<String> properties = Arrays.stream(arguments)
                .filter(argument -> argument.matches(PROPERTY))
                .toList();
        String[] others = Arrays.stream(arguments)
                .filter(argument -> !argument.matches(PROPERTY))
                .toArray(String[]::new);
        return new CommandLine(new TokenCommand(properties))
                .setCaseInsensitiveEnumValuesAllowed(true)
                .execute(others);
    }

    @Command(description = "Makes a token and prints it. It is shown this once.")
    int create(
            @Option(names = "--name", required = true, description = "what it is for") String name,
            @Option(names = "--role", required = true, description = "viewer, launcher or operator") Role role) {
        try {
            DatasetDescriptor.requireName("--name", name);
        } catch (InvalidFieldException invalid) {
            throw new ParameterException(spec.commandLine(), String.valueOf(invalid.getMessage()), invalid);
        }
        return with(tokens -> {
            out().println(tokens.make(name, role).text().text());
            return 0;
        });
    }

    @Command(description = "Lists all tokens: id, role, name, when it was made and when revoked.")
    int list() {
        return with(tokens -> {
            tokens.all()
                    .forEach(token -> out().printf(
                                    "%s  %-8s  %s  %s  %s%n",
                                    token.id(),
                                    token.role().word(),
                                    token.name(),
                                    token.madeAt(),
                                    token.revokedAt() == null ? "-" : token.revokedAt()));
            return 0;
        });
    }

    @Command(description = "Revokes a token: it is good for nothing from then on.")
    int revoke(@Parameters(paramLabel = "ID") String id) {
        return with(tokens -> {
            if (!tokens.revoke(id)) {
                spec.commandLine().getErr().println("There is no good token of the id " + id + ".");
                return 1;
            }
            return 0;
        });
    }

    private int with(ToIntFunction<Tokens> work) {
        ConfigurableApplicationContext service;
        try {
            service = LoaderTunerApplication.application()
                    .web(WebApplicationType.NONE)
                    .lazyInitialization(true)
                    .run(Stream.concat(properties.stream(), Stream.of(QUIET)).toArray(String[]::new));
        } catch (RuntimeException told) {
            // In words, by what analyses why a start failed.
            return 1;
        }
        try (service) {
            return work.applyAsInt(service.getBean(Tokens.class));
        }
    }

    private PrintWriter out() {
        return spec.commandLine().getOut();
    }
}
