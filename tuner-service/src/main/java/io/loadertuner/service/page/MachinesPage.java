package io.loadertuner.service.page;

import io.loadertuner.core.machine.Machine;
import io.loadertuner.core.tuning.StudyReport.Recommended;
import io.loadertuner.service.machine.MachineTypeStore.KnownType;
import io.loadertuner.service.recommendation.MadeRecommendation;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The machine types and what is recommended on them.
 *
 * @param text what the subjects were searched for; empty for nothing
 * @param asked the search, as in the address
 * @param page from 1
 * @param pages of subjects, at least 1
 * @param total subjects that the search found
 */
public record MachinesPage(
        List<Type> types, List<Subject> subjects, String text, Address asked, int page, int pages, int total) {
    static final int PAGE_SIZE = 25;
    static final int MOST_EARLIER = 20;

    /** @param here whether this service's own machine is of that type */
    public record Type(
            String key,
            boolean here,
            String cores,
            String cpu,
            String memory,
            String sharedMemory,
            String gpus,
            String lastSeenAt) {}

    /**
     * What is recommended for a dataset on a machine type.
     *
     * @param earlier what was recommended before, the newest first, of many the last 20
     */
    public record Subject(
            String dataset, String version, String machineType, int ranks, Made current, List<Made> earlier) {}

    /** A recommendation. */
    public record Made(
            String studyId, String config, String kind, String rate, String interval, String gain, String measuredAt) {
        static Made of(MadeRecommendation made) {
            Recommended recommended = made.recommended();
            return new Made(
                    made.studyId(),
                    recommended.config().describe(),
                    Words.plain(recommended.kind()),
                    Words.rate(recommended.throughput()),
                    Words.interval(recommended.throughput()),
                    recommended.speedup() == null
                            ? ""
                            : Words.gain(recommended.speedup().ratio()),
                    made.measuredAt().toString());
        }
    }

    private record Key(String dataset, String version, String machineType, int ranks) {}

    /**
     * @param made of one subject after another, the newest first
     */
    static MachinesPage of(
            List<KnownType> types,
            String here,
            List<MadeRecommendation> made,
            String text,
            Address asked,
            int page,
            int total) {
        Map<Key, List<Made>> bySubject = new LinkedHashMap<>();
        for (MadeRecommendation one : made) {
            bySubject
                    .computeIfAbsent(
                            new Key(one.dataset(), one.version(), one.machineType(), one.ranks()),
                            any -> new ArrayList<>())
                    .add(Made.of(one));
        }
        return new MachinesPage(
                types.stream().map(type -> type(type, here)).toList(),
                bySubject.entrySet().stream()
                        .map(one -> new Subject(
                                one.getKey().dataset(),
                                one.getKey().version(),
                                one.getKey().machineType(),
                                one.getKey().ranks(),
                                one.getValue().get(0),
                                one.getValue().subList(1, one.getValue().size())))
                        .toList(),
                text,
                asked,
                page,
                Math.max(1, (total + PAGE_SIZE - 1) / PAGE_SIZE),
                total);
    }

    private static Type type(KnownType type, String here) {
        Machine machine = type.machine();
        return new Type(
                type.key(),
                type.key().equals(here),
                Words.number(machine.usableCores()) + " usable of " + machine.affinityCores(),
                machine.cpuModel(),
                Words.bytes(machine.memoryBytes()),
                Words.bytes(machine.sharedMemoryBytes()),
                machine.gpus().isEmpty()
                        ? "none"
                        : machine.gpus().stream()
                                .collect(Collectors.groupingBy(
                                        gpu -> gpu.name(), LinkedHashMap::new, Collectors.counting()))
                                .entrySet()
                                .stream()
                                .map(gpu -> gpu.getValue() + " × " + gpu.getKey())
                                .collect(Collectors.joining(", ")),
                type.lastSeenAt().toString());
    }
}
