package io.loadertuner.service.page;

import io.loadertuner.core.tuning.RoundRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What memory a trial's loader held in each of its rounds. */
final class MemoryOverTime {
    private static final int WIDTH = 900;
    private static final int HEIGHT = 240;
    private static final double MEBI = 1 << 20;

    private MemoryOverTime() {}

    /** @return null where fewer than two rounds say */
    static @Nullable Plot plot(List<RoundRecord> rounds) {
        List<RoundRecord> known = rounds.stream()
                .filter(round -> round.measurement().memoryBytes() != null)
                .toList();
        if (known.size() < 2) {
            return null;
        }
        double begin = known.get(0).elapsedSeconds();
        double end = known.get(known.size() - 1).elapsedSeconds();
        Axis seconds = new Axis(begin, Math.max(end, begin + 1e-3), Plot.LEFT + 12, (double) WIDTH - Plot.RIGHT);
        Axis memory = Axis.fromZero(
                known.stream()
                        .flatMap(round -> Stream.of(host(round), shared(round)))
                        .mapToDouble(MemoryOverTime::mebibytes)
                        .max()
                        .orElse(0),
                (double) HEIGHT - Plot.BOTTOM,
                Plot.TOP);
        List<Plot.Mark> marks = new ArrayList<>();
        List<Plot.Line> lines = new ArrayList<>();
        draw(rounds, seconds, memory, MemoryOverTime::host, "plain", "slice", "host memory", lines, marks);
        draw(rounds, seconds, memory, MemoryOverTime::shared, "tied", "shared", "of it shared memory", lines, marks);
        return new Plot(
                "memory-over-time",
                "Memory over time",
                "Host memory in " + known.size() + " rounds: " + Words.bytes(host(known.get(0))) + " in the first, "
                        + Words.bytes(host(known.get(known.size() - 1))) + " in the last",
                "seconds since the study began",
                "MiB",
                WIDTH,
                HEIGHT,
                seconds.ticks(8, Words::tick),
                memory.ticks(4, Words::tick),
                List.of(),
                lines,
                marks,
                List.of(
                        new Plot.Key("mark-plain", "host memory of the loading process and its workers"),
                        new Plot.Key("mark-tied", "shared memory")));
    }

    private static void draw(
            List<RoundRecord> rounds,
            Axis seconds,
            Axis memory,
            Function<RoundRecord, @Nullable Long> bytes,
            String mark,
            String line,
            String name,
            List<Plot.Line> lines,
            List<Plot.Mark> marks) {
        List<double[]> points = new ArrayList<>();
        for (int index = 0; index < rounds.size(); index++) {
            RoundRecord round = rounds.get(index);
            Long known = bytes.apply(round);
            if (known != null) {
                double x = seconds.at(round.elapsedSeconds());
                double y = memory.at(mebibytes(known));
                points.add(new double[] {x, y});
                String tip = "Round " + (index + 1) + ": " + Words.bytes(known) + " " + name;
                marks.add(new Plot.Mark(x, y, null, null, mark, tip, "", null));
            }
        }
        if (points.size() > 1) {
            lines.add(Plot.through(points, line));
        }
    }

    private static @Nullable Long host(RoundRecord round) {
        return round.measurement().memoryBytes();
    }

    private static @Nullable Long shared(RoundRecord round) {
        return round.measurement().sharedMemoryBytes();
    }

    private static double mebibytes(@Nullable Long bytes) {
        return bytes == null ? 0 : bytes / MEBI;
    }
}
