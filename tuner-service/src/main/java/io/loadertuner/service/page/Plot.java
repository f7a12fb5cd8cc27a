package io.loadertuner.service.page;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * A plot with every mark in its place: what is left to a template is to write it down. Lengths are those of the plot's own
 * coordinates, which begin at the top left.
 *
 * @param summary what it shows, for whoever does not see it
 * @param legend what the marks in it mean
 */
public record Plot(
        String id,
        String title,
        String summary,
        String xLabel,
        String yLabel,
        int width,
        int height,
        List<Tick> xs,
        List<Tick> ys,
        List<Area> areas,
        List<Line> lines,
        List<Mark> marks,
        List<Key> legend) {
    static final int LEFT = 62;
    static final int RIGHT = 18;
    static final int TOP = 14;
    static final int BOTTOM = 46;

    private static final int MARKS_TO_STEP_THROUGH = 80;

    /** A value of an axis. */
    public record Tick(double at, String label) {
        /**
         * Of values in their order, those keep their labels that stand clear of the one before.
         *
         * @param extent how much of the axis a label takes, with the room about it
         */
        static List<Tick> legible(List<Tick> ticks, ToDoubleFunction<String> extent) {
            List<Tick> legible = new ArrayList<>();
            Tick last = null;
            for (Tick tick : ticks) {
                boolean clear = last == null
                        || Math.abs(tick.at - last.at)
                                >= (extent.applyAsDouble(tick.label) + extent.applyAsDouble(last.label)) / 2;
                legible.add(clear ? tick : new Tick(tick.at, ""));
                last = clear ? tick : last;
            }
            return legible;
        }
    }

    /**
     * A rectangle.
     *
     * @param tip what is said of it; empty for nothing
     */
    public record Area(double x, double y, double width, double height, String kind, String tip) {}

    /** @param path as SVG writes it */
    public record Line(String path, String kind) {}

    /**
     * A value.
     *
     * @param low where its interval begins; null without one
     * @param high where its interval ends
     * @param label written beside it; empty for nothing
     * @param link where more is to be seen; null for nowhere
     */
    public record Mark(
            double x,
            double y,
            @Nullable Double low,
            @Nullable Double high,
            String kind,
            String tip,
            String label,
            @Nullable String link) {}

    /** What marks of a kind mean. */
    public record Key(String kind, String text) {}

    /** Whether the keyboard goes from mark to mark; of very many, nobody would. */
    public boolean isSteppedThrough() {
        return marks.size() <= MARKS_TO_STEP_THROUGH;
    }

    public double bottom() {
        return (double) height - BOTTOM;
    }

    public double right() {
        return (double) width - RIGHT;
    }

    public double left() {
        return LEFT;
    }

    public double top() {
        return TOP;
    }

    /** A line through points, each x and y. */
    static Line through(List<double[]> points, String kind) {
        StringBuilder path = new StringBuilder();
        for (double[] point : points) {
            path.append(path.isEmpty() ? "M" : "L")
                    .append(place(point[0]))
                    .append(' ')
                    .append(place(point[1]));
        }
        return new Line(path.toString(), kind);
    }

    /** A tenth of a unit is less than anybody sees. */
    public static String place(double value) {
        double tenths = Math.round(value * 10) / 10.0;
        return tenths == Math.rint(tenths) ? String.valueOf((long) tenths) : String.valueOf(tenths);
    }
}
