package io.loadertuner.service.page;

import io.loadertuner.core.measure.MeasuredWindow;
import java.util.ArrayList;
import java.util.List;

/** How long each batch of a round let the training wait after the one before. */
final class BatchTimes {
    private static final int WIDTH = 900;
    private static final int HEIGHT = 280;
    private static final int MOST_BARS = 600;
    private static final double MICROS_PER_MILLI = 1000;
    private static final double MICROS = 1e6;

    private BatchTimes() {}

    /**
     * @param arrivals microseconds since the loader was begun, two at least
     * @param window which of them were measured: what comes before it is warm-up
     */
    static Plot plot(List<Long> arrivals, MeasuredWindow window) {
        int batches = arrivals.size();
        double end = arrivals.get(batches - 1) / MICROS;
        Axis seconds = new Axis(0, Math.max(end, 1e-6), Plot.LEFT, (double) WIDTH - Plot.RIGHT);
        double[] gaps = new double[batches];
        for (int index = 0; index < batches; index++) {
            gaps[index] = (arrivals.get(index) - (index == 0 ? 0 : arrivals.get(index - 1))) / MICROS_PER_MILLI;
        }
        double longest = 0;
        for (int index = 1; index < batches; index++) {
            longest = Math.max(longest, gaps[index]);
        }
        Axis millis = Axis.fromZero(longest, (double) HEIGHT - Plot.BOTTOM, Plot.TOP);
        List<Plot.Area> areas = new ArrayList<>();
        double opens = seconds.at(arrivals.get(Math.min(window.first(), batches - 1)) / MICROS);
        double closes = seconds.at(arrivals.get(Math.min(window.last(), batches - 1)) / MICROS);
        double high = (double) HEIGHT - Plot.BOTTOM - Plot.TOP;
        areas.add(new Plot.Area(Plot.LEFT, Plot.TOP, Math.max(0, opens - Plot.LEFT), high, "warm-up", ""));
        if (closes < WIDTH - Plot.RIGHT) {
            areas.add(new Plot.Area(closes, Plot.TOP, WIDTH - Plot.RIGHT - closes, high, "warm-up", ""));
        }
        int every = 1 + (batches - 1) / MOST_BARS;
        for (int index = 1; index < batches; index += every) {
            int last = Math.min(batches, index + every);
            double slowest = 0;
            for (int one = index; one < last; one++) {
                slowest = Math.max(slowest, gaps[one]);
            }
            double x = seconds.at(arrivals.get(last - 1) / MICROS);
            double y = millis.at(slowest);
            String tip = "Batch " + (index + 1) + (every == 1 ? "" : " to " + last) + ": " + Words.number(slowest)
                    + " ms after the one before" + (every == 1 ? "" : " at most");
            areas.add(new Plot.Area(x - 0.75, y, 1.5, HEIGHT - Plot.BOTTOM - y, "batch", tip));
        }
        return new Plot(
                "batches",
                "Batch times",
                "The time from one batch to the next, of " + batches + " batches over " + Words.seconds(end)
                        + "; the longest " + Words.number(longest) + " ms. Measured were batches "
                        + (window.first() + 2)
                        + " to " + (window.last() + 1),
                "seconds since the loader was begun",
                "ms after the batch before",
                WIDTH,
                HEIGHT,
                seconds.ticks(8, Words::tick),
                millis.ticks(4, Words::tick),
                areas,
                List.of(),
                List.of(),
                List.of(new Plot.Key("area-batch", "a batch"), new Plot.Key("area-warm-up", "not measured: warm-up")));
    }
}
