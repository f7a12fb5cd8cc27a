package io.loadertuner.core.study;

import io.loadertuner.core.space.LoaderConfig;
import java.util.Collections;
import java.util.LinkedHashMap;
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
    private final SortedMap<Integer, Double> reportsOfRoundsTold = new TreeMap<>();
    private final SortedMap<Integer, Double> reportsOfThisRound = new TreeMap<>();
    private TrialState state = TrialState.RUNNING;
    private TrialState stateBefore = TrialState.RUNNING;
    private Ask ask;
    private Ask askBefore;

    Trial(Study study, int number, Ask ask) {
        this.study = study;
        this.number = number;
        this.config = ask.config();
        this.ask = ask;
        this.askBefore = ask;
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
     * An intermediate value of the objective: what its value would be if the trial ended now.
     *
     * @param step values of one step are compared across trials
     * @param value above 0 and finite
     * @throws IllegalArgumentException if the value is not a positive number
     */
    public void report(int step, double value) {
        reportsOfThisRound.put(step, new Outcome.Value(value).value());
    }

    /** What was reported last at each step, by step, that of an open round included. */
    public SortedMap<Integer, Double> reports() {
        SortedMap<Integer, Double> last = new TreeMap<>(reportsOfRoundsTold);
        last.putAll(reportsOfThisRound);
        return Collections.unmodifiableSortedMap(last);
    }

    /** The value reported at the last step of the round that is asked for now. */
    OptionalDouble lastReport() {
        return reportsOfThisRound.values().stream()
                .mapToDouble(Double::doubleValue)
                .reduce((earlier, later) -> later);
    }

    /** Whether, by what all trials have reported so far, this one need not be measured any further. */
    public boolean shouldPrune() {
        return study.prunes(this);
    }

    void askedAgain(Ask again) {
        askBefore = ask;
        stateBefore = state;
        ask = again;
        state = TrialState.RUNNING;
        reportsOfThisRound.clear();
    }

    /** As if it had not been asked for again. */
    void withdrawn() {
        ask = askBefore;
        state = stateBefore;
        reportsOfThisRound.clear();
    }

    void ended(TrialState how) {
        state = how;
        reportsOfRoundsTold.putAll(reportsOfThisRound);
        reportsOfThisRound.clear();
    }

    /** As it stood after its last round that was told. */
    StoredStudy.StoredTrial stored() {
        return new StoredStudy.StoredTrial(
                config, state == TrialState.RUNNING ? stateBefore : state, userAttributes, reportsOfRoundsTold);
    }

    void restored(StoredStudy.StoredTrial stored) {
        state = stored.state();
        userAttributes.putAll(stored.userAttributes());
        reportsOfRoundsTold.putAll(stored.reports());
    }
}
