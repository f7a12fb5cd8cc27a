package io.loadertuner.core.tuning;

import io.loadertuner.core.diagnosis.Bottleneck;
import io.loadertuner.core.diagnosis.ColdFirstPass;
import io.loadertuner.core.diagnosis.CopyOnWrite;
import io.loadertuner.core.diagnosis.Epoch;
import io.loadertuner.core.diagnosis.Finding;
import io.loadertuner.core.diagnosis.NarrowedAffinity;
import io.loadertuner.core.diagnosis.PickledDataset;
import io.loadertuner.core.diagnosis.Plateau;
import io.loadertuner.core.diagnosis.RepeatedOrder;
import io.loadertuner.core.diagnosis.RepeatedRandomNumbers;
import io.loadertuner.core.diagnosis.SlowSample;
import io.loadertuner.core.diagnosis.ThreadsTimesProcesses;
import io.loadertuner.core.diagnosis.UnequalRanks;
import io.loadertuner.core.loader.Examination;
import io.loadertuner.core.loader.LoaderFacts;
import io.loadertuner.core.loader.RankMeasurement;
import io.loadertuner.core.loader.RoundMeasurement;
import io.loadertuner.core.loader.SampleOrder;
import io.loadertuner.core.loader.Symptoms.CopiedMemory;
import io.loadertuner.core.loader.Symptoms.Waits;
import io.loadertuner.core.measure.Throughput;
import io.loadertuner.core.space.LoaderConfig;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Looks through what was measured for what is worth saying of dataset and machine. */
final class Findings {
    /** A machine stalls now and then; a slow sample comes again. */
    private static final int ROUNDS_THAT_SHOW_A_HABIT = 2;

    private static final Examination UNKNOWN = new Examination(null, null, null, null);

    private final Preparation found;
    private final Trials trials;
    private final LoaderFacts facts;
    private final Examination examination;

    Findings(Preparation found, Trials trials) {
        this.found = found;
        this.trials = trials;
        this.facts = found.facts();
        this.examination = Objects.requireNonNullElse(found.examination(), UNKNOWN);
    }

    /** Of dataset and machine as far as they are known. */
    List<Finding> ofData() {
        List<Finding> findings = new ArrayList<>();
        repeatedOrder().ifPresent(findings::add);
        unequalRanks().ifPresent(findings::add);
        RepeatedRandomNumbers.finding(examination.randomNumbersRepeat()).ifPresent(findings::add);
        LoaderFacts.ProcessFacts runtime = facts.runtime();
        if (runtime != null) {
            NarrowedAffinity.finding(runtime.usableCpusBefore(), runtime.usableCpusAfter(), examination.usableCpus())
                    .ifPresent(findings::add);
        }
        copyOnWrite().ifPresent(findings::add);
        pickledDataset().ifPresent(findings::add);
        slowSample(runtime).ifPresent(findings::add);
        coldFirstPass().ifPresent(findings::add);
        return findings;
    }

    /** Of the config that is recommended. */
    List<Finding> ofChoice(LoaderConfig chosen, @Nullable Bottleneck bottleneck, Optional<Epoch> epoch) {
        List<Finding> findings = new ArrayList<>();
        LoaderFacts.ProcessFacts runtime = facts.runtime();
        ThreadsTimesProcesses.finding(
                        chosen.numWorkers(),
                        examination.torchThreads(),
                        runtime == null ? null : runtime.ompNumThreads(),
                        found.machine().usableCores())
                .ifPresent(findings::add);
        if (bottleneck != null && bottleneck.verdict() == Bottleneck.Verdict.WAIT_BOUND) {
            Plateau.finding(ratesByWorkers(chosen), chosen.numWorkers()).ifPresent(findings::add);
        }
        double fillSeconds = chosen.cycle() * chosen.batchSize() * found.ranks() / rate(chosen);
        epoch.flatMap(pass ->
                        pass.finding(rate(chosen), fillSeconds, chosen.numWorkers() > 0 && !chosen.persistentWorkers()))
                .ifPresent(findings::add);
        return findings;
    }

    /** The steady rate of a config and the pause between its passes, put together; empty where either is unknown. */
    Optional<Epoch> epoch(LoaderConfig config) {
        Long length = facts.length();
        Double gap = trials.of(config).map(TrialRecord::epochGapSeconds).orElse(null);
        double rate = rate(config);
        return length == null || gap == null || rate <= 0
                ? Optional.empty()
                : Optional.of(Epoch.of(gap, length, config.batchSize(), rate));
    }

    private Optional<Finding> repeatedOrder() {
        SampleOrder order = facts.order();
        return order == null
                ? Optional.empty()
                : RepeatedOrder.of(order.sampler(), order.indices(), order.repeats(), order.changesWithSetEpoch());
    }

    private Optional<Finding> unequalRanks() {
        return trials.records().stream()
                .flatMap(trial -> trial.rounds().stream())
                .map(round -> batchesPerPass(round.measurement().ranks()))
                .flatMap(batches -> UnequalRanks.of(batches).stream())
                .findFirst();
    }

    private static List<Long> batchesPerPass(List<RankMeasurement> ranks) {
        List<Long> known = ranks.stream()
                .flatMap(rank -> Optional.ofNullable(rank.batchesPerPass()).stream())
                .toList();
        return known.size() == ranks.size() ? known : List.of();
    }

    private Optional<Finding> copyOnWrite() {
        return worst(round -> copied(round).map(CopyOnWrite::copiedBytes).orElse(null))
                .flatMap(worst -> copied(worst.round().measurement())
                        .flatMap(copied -> copied.finding(
                                worst.config().numWorkers(),
                                batchesInEpoch(worst.config().batchSize()))));
    }

    private static Optional<CopyOnWrite> copied(RoundMeasurement round) {
        CopiedMemory copied = round.symptoms().copied();
        return copied == null || copied.batches() < 1
                ? Optional.empty()
                : Optional.of(new CopyOnWrite(
                        copied.copiedBytes() / copied.workers(),
                        copied.sharedBytes() / copied.workers(),
                        copied.batches()));
    }

    private OptionalLong batchesInEpoch(int batchSize) {
        Long length = facts.indexedLength();
        return length == null ? OptionalLong.empty() : OptionalLong.of(length / batchSize);
    }

    private Optional<Finding> pickledDataset() {
        return worst(round -> round.symptoms().pickledBytes())
                .flatMap(worst -> PickledDataset.finding(
                        Objects.requireNonNullElse(
                                worst.round().measurement().symptoms().pickledBytes(), 0L),
                        worst.round().measurement().startupSeconds(),
                        worst.config().numWorkers(),
                        Objects.requireNonNullElse(worst.round().measurement().startMethod(), "another process")));
    }

    private Optional<Finding> slowSample(LoaderFacts.@Nullable ProcessFacts runtime) {
        boolean inOrder = runtime != null && runtime.inOrderAvailable();
        for (TrialRecord trial : trials.records()) {
            List<Finding> seen = trial.rounds().stream()
                    .flatMap(round -> slowSample(trial.config(), round).stream())
                    .flatMap(slow -> slow.finding(trial.config().numWorkers(), inOrder).stream())
                    .toList();
            if (seen.size() >= ROUNDS_THAT_SHOW_A_HABIT
                    && 2 * seen.size() >= trial.rounds().size()) {
                return Optional.of(seen.get(0));
            }
        }
        return Optional.empty();
    }

    private static Optional<SlowSample> slowSample(LoaderConfig config, RoundRecord round) {
        RoundMeasurement measured = round.measurement();
        Waits waits = measured.symptoms().waits();
        int cycles = (measured.window().last() - measured.window().first()) / config.cycle();
        return waits == null || cycles < 2
                ? Optional.empty()
                : Optional.of(new SlowSample(
                        waits.p50Seconds(),
                        waits.p95Seconds(),
                        waits.maxSeconds(),
                        (measured.waitSeconds() - waits.maxSeconds()) / (cycles - 1)));
    }

    private Optional<Finding> coldFirstPass() {
        Long length = facts.indexedLength();
        Optional<Round> first = rounds().findFirst();
        if (length == null || first.isEmpty() || first.get().round().busy()) {
            return Optional.empty();
        }
        Round cold = first.get();
        long read = (cold.round().measurement().window().last() + 1L)
                * cold.config().batchSize()
                * found.ranks();
        if (read > length) {
            return Optional.empty();
        }
        List<Double> later = rounds().skip(1)
                .filter(round -> round.config().equals(cold.config())
                        && round.round().withStep() == cold.round().withStep())
                .map(round -> round.round().samplesPerSecond())
                .toList();
        return ColdFirstPass.finding(cold.round().samplesPerSecond(), later);
    }

    private NavigableMap<Integer, Double> ratesByWorkers(LoaderConfig chosen) {
        NavigableMap<Integer, Double> rates = new TreeMap<>();
        for (TrialRecord trial : trials.records()) {
            LoaderConfig other = trial.config();
            boolean sameDepth = other.numWorkers() == 0
                    || chosen.numWorkers() == 0
                    || Objects.equals(other.prefetchFactor(), chosen.prefetchFactor());
            if (other.batchSize() == chosen.batchSize() && other.pinMemory() == chosen.pinMemory() && sameDepth) {
                trial.throughput()
                        .map(Throughput::samplesPerSecond)
                        .ifPresent(rate -> rates.put(other.numWorkers(), rate));
            }
        }
        return rates;
    }

    private double rate(LoaderConfig config) {
        return trials.of(config)
                .flatMap(TrialRecord::throughput)
                .map(Throughput::samplesPerSecond)
                .orElse(0.0);
    }

    private record Round(LoaderConfig config, RoundRecord round) {}

    /** All rounds in the order of time. */
    private Stream<Round> rounds() {
        return trials.records().stream()
                .flatMap(trial -> trial.rounds().stream().map(round -> new Round(trial.config(), round)))
                .sorted(Comparator.comparingDouble(each -> each.round().elapsedSeconds()));
    }

    /** The round with the most of something; empty where no round has any. */
    private Optional<Round> worst(Function<RoundMeasurement, @Nullable Long> amount) {
        return rounds().filter(each -> amount.apply(each.round().measurement()) != null)
                .max(Comparator.comparing(each ->
                        Objects.requireNonNullElse(amount.apply(each.round().measurement()), 0L)));
    }
}
