package io.loadertuner.service.page;

import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleFunction;

/**
 * Where values lie along one side of a plot.
 *
 * @param low the value at {@code from}
 * @param high the value at {@code to}, above {@code low}
 */
record Axis(double low, double high, double from, double to) {
    private static final double[] STEPS = {1, 2, 5, 10};

    /** From 0 to a little above the highest value. */
    static Axis fromZero(double highest, double from, double to) {
        return new Axis(0, highest > 0 ? highest * 1.08 : 1, from, to);
    }

    double at(double value) {
        return from + (value - low) / (high - low) * (to - from);
    }

    /** Round values, about as many as asked for. */
    List<Plot.Tick> ticks(int about, DoubleFunction<String> label) {
        double step = step((high - low) / about);
        List<Plot.Tick> ticks = new ArrayList<>();
        for (long index = (long) Math.ceil(low / step - 1e-9); index * step <= high + step * 1e-9; index++) {
            ticks.add(new Plot.Tick(at(index * step), label.apply(index * step)));
        }
        return ticks;
    }

    private static double step(double atLeast) {
        double power = Math.pow(10, Math.floor(Math.log10(atLeast)));
        for (double step : STEPS) {
            if (step * power >= atLeast) {
                return step * power;
            }
        }
        return 10 * power;
    }
}
