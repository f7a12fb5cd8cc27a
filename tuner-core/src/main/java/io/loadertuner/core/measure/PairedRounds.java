package io.loadertuner.core.measure;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Rates of several contenders measured in interleaved rounds: within a round all of them share the machine's mood, so
 * their log ratios keep what drift would hide.
 *
 * @param <K> what tells contenders apart
 */
public final class PairedRounds<K> {
    /** Of the difference of two rates' logarithms, each with the prior's deviation. */
    private static final double PRIOR_DEVIATION_OF_DIFFERENCE = Math.sqrt(2) * LogNoise.PRIOR_DEVIATION_WITHIN_A_ROUND;

    private static final Location LOCATION = Location.HODGES_LEHMANN;
    private static final int ROUNDS_TO_GIVE_UP = 2;
    private static final double HOPE = 1.5;

    private final Map<K, Map<String, Double>> logRates = new LinkedHashMap<>();

    /** Middles of log ratios by contender and reference, and noise by reference, as long as no rate is added. */
    private final Map<K, Map<K, Double>> middles = new HashMap<>();

    private final Map<K, LogNoise> noises = new HashMap<>();

    /**
     * Adds one contender's rate in one round.
     *
     * @param round name of the interleaved round
     * @param samplesPerSecond above 0
     */
    public void add(String round, K contender, double samplesPerSecond) {
        logRates.computeIfAbsent(contender, any -> new LinkedHashMap<>()).put(round, Math.log(samplesPerSecond));
        middles.clear();
        noises.clear();
    }

    public Collection<K> contenders() {
        return logRates.keySet();
    }

    /** Who is ahead in shared rounds, of those that took part most often; empty without any. */
    public Optional<K> leader() {
        int most = logRates.values().stream().mapToInt(Map::size).max().orElse(0);
        Optional<K> reference =
                logRates.keySet().stream().filter(one -> rounds(one) == most).findFirst();
        return reference.flatMap(first -> logRates.keySet().stream()
                .filter(one -> rounds(one) == most)
                .max(Comparator.comparingDouble(one -> middleRatio(one, first).orElse(0))));
    }

    /** In how many rounds it took part. */
    public int rounds(K contender) {
        return logRates.getOrDefault(contender, Map.of()).size();
    }

    /** The middle of {@link #ratio}, without its interval. */
    public OptionalDouble middleRatio(K contender, K reference) {
        List<Double> differences = differences(contender, reference);
        return differences.isEmpty()
                ? OptionalDouble.empty()
                : OptionalDouble.of(Math.exp(middle(contender, reference, differences)));
    }

    /**
     * How many times {@code contender}'s rate is {@code reference}'s: the middle (Hodges–Lehmann) of the log ratios over
     * the rounds that both took part in, with a deviation pooled over all contenders. Empty if they share no round.
     */
    public Optional<Ratio> ratio(K contender, K reference) {
        return ratio(contender, reference, 1);
    }

    /**
     * The same ratio, with an interval for choosing: so wide that those of all contenders against {@code reference} hold
     * at once with 95 % confidence, however often of {@code looks} times they are looked at (Bonferroni). Who picks the best
     * of several by single intervals, or the best moment, is misled as many times as often.
     *
     * @param looks at least 1
     */
    public Optional<Ratio> ratioAmongAll(K contender, K reference, int looks) {
        return ratio(contender, reference, looks * others());
    }

    private Optional<Ratio> ratio(K contender, K reference, int intervals) {
        List<Double> differences = differences(contender, reference);
        if (differences.isEmpty()) {
            return Optional.empty();
        }
        double middle = middle(contender, reference, differences);
        double half = noise(reference).halfWidth(LOCATION, differences.size(), intervals);
        return Optional.of(
                new Ratio(Math.exp(middle), Math.exp(middle - half), Math.exp(middle + half), differences.size()));
    }

    /**
     * The median, between the least and the greatest of its paired rounds: five rounds above a bound put the
     * median above it with 97 % confidence whatever the noise looks like (sign test, one-sided). Empty if they share no
     * round.
     */
    public Optional<Ratio> range(K contender, K reference) {
        List<Double> differences = differences(contender, reference);
        if (differences.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new Ratio(
                Math.exp(Location.MEDIAN.of(differences)),
                Math.exp(Collections.min(differences)),
                Math.exp(Collections.max(differences)),
                differences.size()));
    }

    /**
     * Whether {@code contender} has fallen behind {@code reference} by more than {@code margin} (0.03 is 3 %) and the
     * one-sided 95 % bound of its deficit is above 0, all contenders' bounds at once: it need not be measured again.
     */
    public boolean hasFallenBehind(K contender, K reference, double margin) {
        List<Double> differences = differences(contender, reference);
        if (differences.isEmpty()) {
            return false;
        }
        double deficit = -middle(contender, reference, differences);
        return deficit > margin
                && deficit - noise(reference).oneSidedDistance(LOCATION, differences.size(), others()) > 0;
    }

    /**
     * Whether {@code contender} will hardly be shown to be better than {@code reference}: even if the truth lies one and a
     * half standard errors above what was seen, {@code more} further rounds would leave the lower bound below 1, or the gain
     * is at most {@code margin}.
     *
     * @param more further rounds that could be measured, at least 0
     */
    public boolean isFutile(K contender, K reference, double margin, int more) {
        List<Double> differences = differences(contender, reference);
        if (differences.size() < ROUNDS_TO_GIVE_UP) {
            return false;
        }
        LogNoise noise = noise(reference);
        double hoped =
                middle(contender, reference, differences) + HOPE * noise.standardError(LOCATION, differences.size());
        return hoped < Math.max(margin, noise.halfWidth(LOCATION, differences.size() + more, 1));
    }

    private int others() {
        return Math.max(1, logRates.size() - 1);
    }

    private double middle(K contender, K reference, List<Double> differences) {
        return middles.computeIfAbsent(contender, any -> new HashMap<>())
                .computeIfAbsent(reference, any -> LOCATION.of(differences));
    }

    private LogNoise noise(K reference) {
        return noises.computeIfAbsent(reference, this::pooledNoise);
    }

    private LogNoise pooledNoise(K reference) {
        List<List<Double>> groups = new ArrayList<>();
        for (K contender : logRates.keySet()) {
            if (!contender.equals(reference)) {
                groups.add(differences(contender, reference));
            }
        }
        return LogNoise.pooled(groups, PRIOR_DEVIATION_OF_DIFFERENCE);
    }

    private List<Double> differences(K contender, K reference) {
        Map<String, Double> ours = logRates.getOrDefault(contender, Map.of());
        Map<String, Double> theirs = logRates.getOrDefault(reference, Map.of());
        List<Double> differences = new ArrayList<>();
        ours.forEach((round, logRate) -> {
            Double other = theirs.get(round);
            if (other != null) {
                differences.add(logRate - other);
            }
        });
        return differences;
    }
}
