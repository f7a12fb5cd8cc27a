package io.loadertuner.core.study;

import io.loadertuner.core.measure.PairedRounds;
import io.loadertuner.core.measure.Ratio;
import io.loadertuner.core.space.LoaderConfig;
import io.loadertuner.core.space.Setting;
import io.loadertuner.core.study.Replay.Pending;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** One setting varied around the leader, all its values in each interleaved round. */
final class SettingSearch {
    private SettingSearch() {}

    /**
     * A leader that works keeps its place until it is beaten; one that does not gives way to whatever works.
     *
     * @param variants the leader with each other value of the setting; empty if there is none
     */
    static Front run(Search search, Front front, Setting setting, Phase phase, List<LoaderConfig> variants)
            throws Pending {
        LoaderConfig from = front.leader();
        PairedRounds<LoaderConfig> rounds = new PairedRounds<>();
        Optional<Front> compared = Challenge.run(search, from, variants, phase, 1, rounds);
        if (compared.isEmpty()) {
            return front;
        }
        Front measured = compared.get();
        explain(search, setting, from, measured, rounds);
        return front.ledBy(measured.leader(), measured.carried());
    }

    static void explainNotSearched(Search search, Setting setting, LoaderConfig leader, String reason) {
        search.explain(new Explanation(
                setting.parameterName(),
                setting.valueIn(leader),
                setting.valueIn(leader),
                null,
                Explanation.Decision.NOT_SEARCHED,
                setting.parameterName() + " was not searched: " + reason));
    }

    private static void explain(
            Search search, Setting setting, LoaderConfig from, Front measured, PairedRounds<LoaderConfig> rounds) {
        LoaderConfig to = measured.leader();
        String name = setting.parameterName();
        String carried = measured.carried().isEmpty()
                ? ""
                : ", cannot tell it from " + values(setting, measured.carried()) + ", which is carried";
        if (from.equals(to)) {
            Optional<LoaderConfig> nearest = Comparisons.nearest(from, rounds);
            Optional<Ratio> ratio = nearest.flatMap(other -> rounds.ratio(other, from));
            String others = nearest.map(other -> "%s came nearest, %s"
                            .formatted(
                                    value(setting, other),
                                    ratio.map(Sentences::ratio).orElseThrow()))
                    .orElse("nothing was compared with it");
            search.explain(new Explanation(
                    name,
                    setting.valueIn(from),
                    setting.valueIn(from),
                    ratio.orElse(null),
                    Explanation.Decision.STAYED,
                    "%s stays %s: %s%s".formatted(name, setting.valueIn(from), others, carried)));
        } else {
            Optional<Ratio> ratio = rounds.ratio(to, from);
            search.explain(new Explanation(
                    name,
                    setting.valueIn(from),
                    setting.valueIn(to),
                    ratio.orElse(null),
                    Explanation.Decision.MOVED,
                    "%s %s → %s: %s%s"
                            .formatted(
                                    name,
                                    setting.valueIn(from),
                                    setting.valueIn(to),
                                    ratio.map(Sentences::ratio).orElse(from.describe() + " fails"),
                                    carried)));
        }
        Comparisons.explain(search, name, config -> value(setting, config), measured, rounds);
    }

    private static String values(Setting setting, List<LoaderConfig> configs) {
        return configs.stream().map(config -> value(setting, config)).collect(Collectors.joining(" and "));
    }

    /** Batch sizes are varied together with the workers: their number tells variants of one batch size apart. */
    private static String value(Setting setting, LoaderConfig config) {
        return setting == Setting.BATCH_SIZE
                ? config.batchSize() + " with " + config.numWorkers() + " workers"
                : setting.valueIn(config);
    }
}
