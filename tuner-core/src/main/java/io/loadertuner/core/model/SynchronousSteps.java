package io.loadertuner.core.model;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The steps of all ranks: each begins when every rank has its batch, and ends on all at once. */
final class SynchronousSteps {
    private final Simulation simulation;
    private final @Nullable ModelledPause pause;
    private final List<TrainingProcess> ready = new ArrayList<>();
    private final List<Double> endsSeconds = new ArrayList<>();

    SynchronousSteps(Simulation simulation, @Nullable ModelledPause pause) {
        this.simulation = simulation;
        this.pause = pause;
    }

    void ready(TrainingProcess rank) {
        ready.add(rank);
        if (ready.size() == simulation.ranks()) {
            step();
        }
    }

    private void step() {
        double begins = simulation.timeline().nowSeconds();
        for (TrainingProcess rank : ready) {
            begins = Math.max(begins, rank.deviceFreeSeconds());
        }
        int step = endsSeconds.size();
        double ends = begins
                + simulation.step().deviceSeconds(simulation.config().batchSize(), simulation.randomOfStep(step));
        endsSeconds.add(ends);
        int awaited = step - simulation.step().stepsAhead();
        double hostIsFree = Math.max(simulation.timeline().nowSeconds(), awaited < 0 ? 0 : endsSeconds.get(awaited));
        double hostGoesOn = hostIsFree + pauseSecondsAfter(step);
        List<TrainingProcess> ranks = List.copyOf(ready);
        ready.clear();
        for (TrainingProcess rank : ranks) {
            rank.stepEnds(ends, hostGoesOn);
        }
    }

    private double pauseSecondsAfter(int step) {
        return pause != null && pause.afterBatch() == step ? pause.seconds() : 0;
    }

    /** When each step is done, seconds since {@code iter()}, ascending. */
    List<Double> endsSeconds() {
        return endsSeconds;
    }
}
