package io.loadertuner.core.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import picocli.CommandLine;

/** Runs a command line and keeps what it printed. */
final class Terminal {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    int run(String... arguments) {
        CommandLine commandLine = LoaderTuner.commandLine();
        commandLine.setOut(new PrintWriter(out));
        commandLine.setErr(new PrintWriter(err));
        return commandLine.execute(arguments);
    }

    String out() {
        return out.toString();
    }

    String err() {
        return err.toString();
    }
}
