package io.loadertuner.core.study;

import io.loadertuner.core.space.LoaderConfig;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;

/** One loader config, to be measured or measured. Asked for again, it is the same trial with one more round. */
public final class Trial {
    private final Study study;
    private final int number;
    private final LoaderConfig config;
    private final Map<String, Object> userAttributes = new LinkedHashMap<>();
    private final SortedMap<Integer, Double> reports = new TreeMap<>();
    private TrialState state = TrialState.RUNNING;
    private Ask ask;

    Trial(Study study, int number, Ask ask) {
        this.study = study;
        this.number = number;
        this.config = ask.config();
        this.ask = ask;
    }

    /** From 1, in the order of first asks. */
    public int number() {
        return number;
    }

    public LoaderConfig config() {
        return config;
    }

    /** The round that is asked for now, or was last. */
    public Ask ask() {
        return ask;
    }

    public TrialState state() {
        return state;
    }

    /** Whether it has been told before and is asked for once more. */
    public boolean isRepeat() {
        return study.isTold(config);
    }

    public Trial setUserAttribute(String key, Object value) {
        userAttributes.put(key, value);
        return this;
    }

    public Map<String, Object> userAttributes() {
        return Collections.unmodifiableMap(userAttributes);
    }

    /**
     * An intermediate value of the objective.
     *
     * @param step values of one step are compared across trials
     * @param value above 0
     */
    public void report(int step, double value) {
        reports.put(step, new Outcome.Value(value).value());
    }

    /** What was reported, by step. */
    public SortedMap<Integer, Double> reports() {
        return Collections.unmodifiableSortedMap(reports);
    }

    /** The value reported at the last step. */
    OptionalDouble lastReport() {
        return reports.isEmpty()
                ? OptionalDouble.empty()
                : OptionalDouble.of(List.copyOf(reports.values()).get(reports.size() - 1));
    }

    /** Whether, by what all trials have reported so far, this one need not be measured any further. */
    public boolean shouldPrune() {
        return study.prunes(this);
    }

    void askedAgain(Ask again) {
        ask = again;
        state = TrialState.RUNNING;
    }

    void ended(TrialState how) {
        state = how;
    }
}
