package io.loadertuner.core.tuning;

import io.loadertuner.core.dataset.DatasetDescriptor;
import io.loadertuner.core.dataset.Source;
import io.loadertuner.core.dataset.TrainingStep;
import io.loadertuner.core.space.InvalidFieldException;
import io.loadertuner.core.space.LoaderConfig;
import io.loadertuner.core.study.Budget;
import io.loadertuner.core.study.CostOrder;
import io.loadertuner.core.study.Sampler;
import io.loadertuner.core.study.sampler.SamplerKind;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is asked for: a dataset descriptor and how to search. The fields are those of the JSON body.
 *
 * @param machineType the machine type to tune for; this machine where none is given
 * @param sampler {@code one_at_a_time}, which is also meant where none is given, {@code genetic}, {@code random} or {@code grid}
 * @param costOrder what is cheaper of configs that cannot be told apart, by the names of {@link CostOrder.Cost}; those left out
 *     follow in the usual order
 */
public record StudyRequest(
        String name,
        @Nullable String version,
        @Nullable String loader,
        Source source,
        @Nullable TrainingStep step,
        @Nullable Integer ranks,
        @Nullable String machineType,
        @Nullable SpaceRequest space,
        @Nullable String sampler,
        @Nullable List<String> costOrder,
        @Nullable Budget budget,
        @Nullable Constraints constraints,
        @Nullable BaselineRequest baseline) {

    /**
     * @throws InvalidFieldException if a field cannot be accepted
     */
    public StudyRequest {
        DatasetDescriptor.requireName("name", name);
        if (source == null) {
            throw new InvalidFieldException(
                    "source", "is missing; its kind is image_folder, array, tar_shards, python or synthetic");
        }
        version = version == null ? "" : version;
        loader = loader == null ? DatasetDescriptor.PYTORCH : loader;
        ranks = ranks == null ? Integer.valueOf(1) : ranks;
        sampler = sampler == null ? SamplerKind.ONE_AT_A_TIME.code() : sampler;
        kind(sampler);
        costOrder = (costOrder == null ? CostOrder.USUAL : CostOrder.named(costOrder)).names();
        new DatasetDescriptor(name, version, loader, source, step, ranks);
        space = space == null ? SpaceRequest.ANY : space;
        budget = budget == null ? Budget.DEFAULT : budget;
        constraints = constraints == null ? Constraints.NONE : constraints;
        baseline = baseline == null ? BaselineRequest.PYTORCH_DEFAULTS : baseline;
        StudyPlan.checkSpace(space);
        StudyPlan.baseline(baseline, space);
    }

    public DatasetDescriptor descriptor() {
        return new DatasetDescriptor(
                name, orEmpty(version), orPyTorch(loader), source, step, ranks == null ? 1 : ranks);
    }

    /** Whether code of whoever asks is run. */
    public boolean runsCode() {
        return source instanceof Source.Python || (step != null && step.factory() != null);
    }

    /** What decides which config is measured next. */
    Sampler newSampler() {
        return (sampler == null ? SamplerKind.ONE_AT_A_TIME : kind(sampler)).create();
    }

    private static SamplerKind kind(String sampler) {
        return SamplerKind.named(sampler)
                .orElseThrow(() -> new InvalidFieldException(
                        "sampler",
                        "must be one of %s, but is '%s'".formatted(String.join(", ", SamplerKind.codes()), sampler)));
    }

    /** The same request for another place of its data. */
    public StudyRequest withSource(Source other) {
        return with(other, machineType, baseline);
    }

    /** The same request for machines of another type. */
    public StudyRequest withMachineType(String other) {
        return with(source, other, baseline);
    }

    /** The same request with another baseline. */
    public StudyRequest withBaseline(LoaderConfig other) {
        return with(source, machineType, BaselineRequest.of(other));
    }

    private StudyRequest with(
            Source otherSource, @Nullable String otherMachineType, @Nullable BaselineRequest otherBaseline) {
        return new StudyRequest(
                name,
                version,
                loader,
                otherSource,
                step,
                ranks,
                otherMachineType,
                space,
                sampler,
                costOrder,
                budget,
                constraints,
                otherBaseline);
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }

    private static String orPyTorch(@Nullable String text) {
        return text == null ? DatasetDescriptor.PYTORCH : text;
    }
}
