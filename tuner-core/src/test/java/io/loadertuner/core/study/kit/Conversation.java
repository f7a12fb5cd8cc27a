package io.loadertuner.core.study.kit;

import io.loadertuner.core.space.LoaderConfig;
import io.loadertuner.core.study.Ask;
import io.loadertuner.core.study.Observation;
import io.loadertuner.core.study.Proposal;
import io.loadertuner.core.study.Sampler;
import io.loadertuner.core.study.SamplerView;
import io.loadertuner.core.study.SearchSettings;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** A sampler is shown views and asks; nothing is measured, a round takes one second. */
final class Conversation {
    private final Supplier<Sampler> samplers;
    private final SearchSettings settings;
    private final Predicate<LoaderConfig> fails;
    private final Sampler sampler;
    private final List<Ask> asked = new ArrayList<>();
    private final List<Observation> told = new ArrayList<>();
    private final Set<Ask> pending = new LinkedHashSet<>();
    private final Set<LoaderConfig> passedOver = new LinkedHashSet<>();

    Conversation(Supplier<Sampler> samplers, SearchSettings settings) {
        this(samplers, settings, config -> false);
    }

    Conversation(Supplier<Sampler> samplers, SearchSettings settings, Predicate<LoaderConfig> fails) {
        this.samplers = samplers;
        this.settings = settings;
        this.fails = fails;
        this.sampler = samplers.get();
    }

    SamplerView view() {
        return new SamplerView(settings, told, pending, passedOver);
    }

    /** What this sampler proposes; an ask becomes pending. */
    Proposal next() {
        Proposal proposal = sampler.propose(view());
        if (proposal instanceof Proposal.Measure measure) {
            asked.add(measure.ask());
            pending.add(measure.ask());
        }
        return proposal;
    }

    /** What another instance proposes that has seen nothing before; nothing becomes pending. */
    Proposal nextOfAnother() {
        return samplers.get().propose(view());
    }

    void tell(Ask ask) {
        pending.remove(ask);
        double elapsed = told.size() + 1;
        told.add(
                fails.test(ask.config())
                        ? new Observation(ask, null, "worker_crashed", 1, elapsed)
                        : new Observation(ask, rate(ask), null, 1, elapsed));
    }

    /** As the tuner does with what it cannot afford. */
    void passOver(Ask ask) {
        pending.remove(ask);
        asked.remove(ask);
        passedOver.add(ask.config());
    }

    /** Asks and tells, one after the other, until the sampler ends or so many rounds have been told. */
    Conversation run(int most) {
        while (told.size() < most && next() instanceof Proposal.Measure measure) {
            tell(measure.ask());
        }
        return this;
    }

    /** Everything that was asked and not passed over, in order. */
    List<Ask> asked() {
        return asked;
    }

    List<LoaderConfig> configs() {
        return asked.stream().map(Ask::config).toList();
    }

    List<Observation> told() {
        return told;
    }

    Set<Ask> pending() {
        return pending;
    }

    /** Grows with the workers up to 4; rounds of one config differ by a few percent. */
    private static double rate(Ask ask) {
        LoaderConfig config = ask.config();
        int useful = 1 + Math.min(4, config.numWorkers());
        int mood = (7 * ask.round() + 3 * config.numWorkers() + config.batchesInFlight() + config.batchSize()) % 11;
        return 100 * useful * (1 + 0.004 * mood) + (config.pinMemory() ? 1 : 0);
    }
}
