package io.loadertuner.service.page;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The highest value from the left up to each place, as a line that steps up wherever it rises. */
final class Stairway {
    private final Axis heights;
    private final List<double[]> points = new ArrayList<>();
    private double top;
    private int steps;

    /** @param heights where values lie from the bottom to the top */
    Stairway(Axis heights) {
        this.heights = heights;
    }

    /**
     * Takes the next value to the right.
     *
     * @param x not left of the one before
     * @return whether the line rises here
     */
    boolean add(double x, double value) {
        if (value <= top) {
            return false;
        }
        if (steps > 0) {
            points.add(new double[] {x, heights.at(top)});
        }
        top = value;
        steps++;
        points.add(new double[] {x, heights.at(top)});
        return true;
    }

    /** The highest value of all; 0 before there is one. */
    double top() {
        return top;
    }

    /** How often it rises. */
    int steps() {
        return steps;
    }

    /** The line as far as {@code right}; none before there is a value. */
    Optional<Plot.Line> until(double right) {
        if (steps == 0) {
            return Optional.empty();
        }
        List<double[]> whole = new ArrayList<>(points);
        whole.add(new double[] {right, heights.at(top)});
        return Optional.of(Plot.through(whole, "best"));
    }
}
