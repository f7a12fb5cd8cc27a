package io.loadertuner.core.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Entry point of the command line. */
@Command(
        name = "loader-tuner",
        mixinStandardHelpOptions = true,
        version = "loader-tuner 0.1.0",
        description = "Finds the data loader settings that feed training fastest, by measuring them.",
        subcommands = {TuneCommand.class, ReplayCommand.class})
public final class LoaderTuner {
    private LoaderTuner() {}

    public static void main(String[] arguments) {
        System.exit(commandLine().execute(arguments));
    }

    static CommandLine commandLine() {
        return new CommandLine(new LoaderTuner()).setParameterExceptionHandler((refused, arguments) -> {
            CommandLine command = refused.getCommandLine();
            command.getErr().println(refused.getMessage());
            command.getErr()
                    .println("See " + command.getCommandSpec().qualifiedName() + " --help for what can be given.");
            return command.getCommandSpec().exitCodeOnInvalidInput();
        });
    }
}
