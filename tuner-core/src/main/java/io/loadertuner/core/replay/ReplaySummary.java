package io.loadertuner.core.replay;

import io.loadertuner.core.space.LoaderConfig;
import io.loadertuner.core.study.Ask;
import io.loadertuner.core.study.SearchSettings;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * Many replayed studies in a few figures. Gains are the true ones of the surface, not those that the studies saw.
 *
 * @param truth what was replayed: a recording, or a model
 * @param studies how many there were
 * @param regretPercent what the recommended config lacks of the best one
 * @param seconds simulated wall time of a study
 * @param trials distinct configs measured
 * @param availableGainPercent what the best config of the space gains over the baseline
 * @param leftBaseline share of studies that recommend another config than the baseline
 * @param halfOfGain share of studies whose recommendation has at least half of the available gain, as a ratio's logarithm
 * @param worseThanBaseline share of studies whose recommendation is truly slower than the baseline
 * @param losesOverThreePercent share of studies whose recommendation is truly slower than the baseline by more than 3 %
 * @param configs how many the space has
 * @param exhaustiveSeconds simulated wall time of one round of every config, without noise
 */
public record ReplaySummary(
        String truth,
        int studies,
        Quantiles regretPercent,
        Quantiles seconds,
        Quantiles trials,
        double availableGainPercent,
        double leftBaseline,
        double halfOfGain,
        double worseThanBaseline,
        double losesOverThreePercent,
        int configs,
        double exhaustiveSeconds) {

    /** Quantiles over the studies. */
    public record Quantiles(double p10, double median, double p90, double p95) {

        static Quantiles of(double[] values) {
            double[] sorted = values.clone();
            Arrays.sort(sorted);
            return new Quantiles(at(sorted, 0.1), at(sorted, 0.5), at(sorted, 0.9), at(sorted, 0.95));
        }

        /** Linear between the order statistics around {@code share} of the way (type 7 of Hyndman and Fan). */
        private static double at(double[] sorted, double share) {
            double place = share * (sorted.length - 1);
            int below = (int) Math.floor(place);
            int above = Math.min(sorted.length - 1, below + 1);
            return sorted[below] + (place - below) * (sorted[above] - sorted[below]);
        }
    }

    /**
     * @param studies not empty
     * @param truth names the surface
     * @param settings what all of them were given, but for the seed
     */
    public static ReplaySummary of(
            String truth, List<ReplayedStudy> studies, SearchSettings settings, Surface surface) {
        List<LoaderConfig> configs = settings.space().configs();
        double baseline = surface.samplesPerSecond(settings.baseline());
        double best = surface.bestSamplesPerSecond(settings.space());
        double halfWay = Math.sqrt(baseline * best);
        return new ReplaySummary(
                truth,
                studies.size(),
                quantiles(studies, study -> 100 * (1 - surface.samplesPerSecond(study.recommended(settings)) / best)),
                quantiles(studies, ReplayedStudy::seconds),
                quantiles(studies, ReplayedStudy::trials),
                100 * (best / baseline - 1),
                share(studies, settings, config -> config.equals(settings.baseline()) ? 0 : 1),
                share(studies, settings, config -> surface.samplesPerSecond(config) >= halfWay ? 1 : 0),
                share(studies, settings, config -> surface.samplesPerSecond(config) < baseline ? 1 : 0),
                share(studies, settings, config -> surface.samplesPerSecond(config) < 0.97 * baseline ? 1 : 0),
                configs.size(),
                exhaustiveSeconds(configs, surface));
    }

    private static double exhaustiveSeconds(List<LoaderConfig> configs, Surface surface) {
        ReplayedMachine machine = new ReplayedMachine(surface, NoiseProfile.NONE, 0);
        configs.forEach(config -> machine.measure(Ask.first(config)));
        return machine.elapsedSeconds();
    }

    private static Quantiles quantiles(List<ReplayedStudy> studies, ToDoubleFunction<ReplayedStudy> figure) {
        return Quantiles.of(studies.stream().mapToDouble(figure).toArray());
    }

    private static double share(
            List<ReplayedStudy> studies, SearchSettings settings, ToDoubleFunction<LoaderConfig> counts) {
        return studies.stream()
                .mapToDouble(study -> counts.applyAsDouble(study.recommended(settings)))
                .average()
                .orElse(0);
    }
}
