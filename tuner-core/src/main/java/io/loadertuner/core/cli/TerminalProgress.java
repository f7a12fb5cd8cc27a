package io.loadertuner.core.cli;

import io.loadertuner.core.study.Ask;
import io.loadertuner.core.tuning.StudyReport;
import io.loadertuner.core.tuning.TrialReport;
import io.loadertuner.core.tuning.TuningListener;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;

/** One line per round, and the sentences of the search as they are reached. */
final class TerminalProgress implements TuningListener {
    private final PrintWriter out;
    private int sentences;

    TerminalProgress(PrintWriter out) {
        this.out = out;
    }

    @Override
    public void roundBegun(int trial, Ask ask) {
        out.printf(Locale.ROOT, "trial %2d  %-42s  %-16s", trial, ask.config().describe(), ask.block());
        out.flush();
    }

    @Override
    public void roundEnded(TrialReport trial, StudyReport study) {
        String result = trial.failure() == null
                ? Figures.throughput(trial.throughput())
                : "failed: " + trial.failure().reason().code();
        out.printf(
                Locale.ROOT, "  %-28s  %4.0f s left%n", result, study.progress().secondsLeft());
        List<String> reached =
                study.explanation().stream().map(step -> step.text()).toList();
        for (; sentences < reached.size(); sentences++) {
            out.println("    " + reached.get(sentences));
        }
        out.flush();
    }
}
