package io.loadertuner.core.tuning;

import io.loadertuner.core.dataset.DatasetDescriptor;
import io.loadertuner.core.dataset.Source;
import io.loadertuner.core.dataset.TrainingStep;
import io.loadertuner.core.space.InvalidFieldException;
import io.loadertuner.core.study.Budget;
import org.jspecify.annotations.Nullable;

/**
 * What is asked for: a dataset descriptor and how to search. The fields are those of the JSON body.
 *
 * @param machineType the machine type to tune for; this machine where none is given
 * @param sampler {@code one_at_a_time}
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
        @Nullable Budget budget,
        @Nullable Constraints constraints,
        @Nullable BaselineRequest baseline) {
    private static final String ONE_AT_A_TIME = "one_at_a_time";

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
        sampler = sampler == null ? ONE_AT_A_TIME : sampler;
        if (!sampler.equals(ONE_AT_A_TIME)) {
            throw new InvalidFieldException("sampler", "must be one_at_a_time, but is '" + sampler + "'");
        }
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

    /** The same request for another place of its data. */
    public StudyRequest withSource(Source other) {
        return new StudyRequest(
                name, version, loader, other, step, ranks, machineType, space, sampler, budget, constraints, baseline);
    }

    /** The same request for machines of another type. */
    public StudyRequest withMachineType(String other) {
        return new StudyRequest(
                name, version, loader, source, step, ranks, other, space, sampler, budget, constraints, baseline);
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }

    private static String orPyTorch(@Nullable String text) {
        return text == null ? DatasetDescriptor.PYTORCH : text;
    }
}
