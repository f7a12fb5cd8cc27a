package io.loadertuner.core.study;

/** What came of a trial. */
public sealed interface Outcome {

    /**
     * It was measured.
     *
     * @param value of the objective, above 0 and finite: values are compared by their ratios
     */
    record Value(double value) implements Outcome {
        public Value {
            if (!(value > 0 && value < Double.POSITIVE_INFINITY)) {
                throw new IllegalArgumentException(
                        "the value of an objective must be a positive number, but is " + value);
            }
        }
    }

    /** It was ended early; its last report in this round is its value. */
    record Pruned() implements Outcome {}

    /**
     * It failed.
     *
     * @param reason the name of the failure
     */
    record Failed(String reason) implements Outcome {}

    static Outcome value(double value) {
        return new Value(value);
    }

    static Outcome pruned() {
        return new Pruned();
    }

    static Outcome failed(String reason) {
        return new Failed(reason);
    }
}
