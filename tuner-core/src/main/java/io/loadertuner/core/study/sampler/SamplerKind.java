package io.loadertuner.core.study.sampler;

import io.loadertuner.core.study.OneAtATime;
import io.loadertuner.core.study.Sampler;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The samplers that a study can be asked for by name. */
public enum SamplerKind {
    ONE_AT_A_TIME,
    GENETIC,
    RANDOM,
    GRID;

    /** The name in a request: {@code one_at_a_time}. */
    public String code() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The kind of that name; empty where there is none. */
    public static Optional<SamplerKind> named(String code) {
        return Arrays.stream(values()).filter(kind -> kind.code().equals(code)).findFirst();
    }

    public static List<String> codes() {
        return Arrays.stream(values()).map(SamplerKind::code).toList();
    }

    public Sampler create() {
        return switch (this) {
            case ONE_AT_A_TIME -> new OneAtATime(new GeneticSampler());
            case GENETIC -> new GeneticSampler();
            case RANDOM -> new RandomSampler();
            case GRID -> new GridSampler();
        };
    }
}
