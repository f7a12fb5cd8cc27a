package io.loadertuner.core.cli;

import io.loadertuner.core.replay.ReplayedMachine;
import io.loadertuner.core.replay.Surface;
import io.loadertuner.core.space.LoaderConfig;
import io.loadertuner.core.study.Ask;
import io.loadertuner.core.study.Observation;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.function.LongFunction;

/** Lets another program measure configs of a surface, one line each. */
final class InteractiveReplay {
    private final Surface surface;
    private final LongFunction<ReplayedMachine> machines;
    private final PrintWriter out;

    /** @param machines that measure the surface, by seed */
    InteractiveReplay(Surface surface, LongFunction<ReplayedMachine> machines, PrintWriter out) {
        this.surface = surface;
        this.machines = machines;
        this.out = out;
    }

    /** Answers until the input ends. */
    void run(BufferedReader in) throws IOException {
        ReplayedMachine machine = machines.apply(0);
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            if (line.indexOf(',') < 0) {
                machine = machines.apply(Long.parseLong(line.strip()));
                continue;
            }
            LoaderConfig config = ConfigLine.parse(line);
            Observation seen = machine.measure(Ask.first(config));
            Double rate = seen.samplesPerSecond();
            out.printf(
                    Locale.ROOT,
                    "%s %.6f %.6f %.6f%n",
                    rate == null ? "failed" : String.format(Locale.ROOT, "%.6f", rate),
                    seen.costSeconds(),
                    seen.elapsedSeconds(),
                    surface.samplesPerSecond(config));
            out.flush();
        }
    }
}
