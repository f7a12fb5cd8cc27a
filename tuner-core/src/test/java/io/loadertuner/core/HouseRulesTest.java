package io.loadertuner.core;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.conditions.ArchConditions.be;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.time.Clock;
import org.jspecify.annotations.NullMarked;

/** The rules of the house: which package may know which, and what the packages of pure values may not do. */
@AnalyzeClasses(packages = "io.loadertuner.core", importOptions = DoNotIncludeTests.class)
class HouseRulesTest {
    private static final String CORE = "io.loadertuner.core.";
    private static final String[] NUMBERS_ALONE = {
        CORE + "space..", CORE + "measure..", CORE + "study..", CORE + "replay..", CORE + "dataset..", CORE + "model.."
    };

    @ArchTest
    static final ArchRule the_core_knows_no_spring =
            noClasses().should().dependOnClassesThat().resideInAnyPackage("org.springframework..");

    @ArchTest
    static final ArchRule arrows_go_one_way = layeredArchitecture()
            .consideringOnlyDependenciesInLayers()
            .layer("space")
            .definedBy(CORE + "space..")
            .layer("dataset")
            .definedBy(CORE + "dataset..")
            .layer("measure")
            .definedBy(CORE + "measure..")
            .layer("study")
            .definedBy(CORE + "study..")
            .layer("replay")
            .definedBy(CORE + "replay..")
            .layer("model")
            .definedBy(CORE + "model..")
            .layer("machine")
            .definedBy(CORE + "machine..")
            .optionalLayer("loader")
            .definedBy(CORE + "loader..")
            .optionalLayer("diagnosis")
            .definedBy(CORE + "diagnosis..")
            .optionalLayer("tuning")
            .definedBy(CORE + "tuning..")
            .optionalLayer("cli")
            .definedBy(CORE + "cli..")
            .whereLayer("space")
            .mayNotAccessAnyLayer()
            .whereLayer("dataset")
            .mayOnlyAccessLayers("space")
            .whereLayer("measure")
            .mayOnlyAccessLayers("space")
            .whereLayer("machine")
            .mayOnlyAccessLayers("space")
            .whereLayer("study")
            .mayOnlyAccessLayers("measure", "space")
            .whereLayer("replay")
            .mayOnlyAccessLayers("model", "study", "measure", "space")
            .whereLayer("model")
            .mayOnlyAccessLayers("measure", "space")
            .whereLayer("loader")
            .mayOnlyAccessLayers("dataset", "machine", "measure", "space")
            .whereLayer("diagnosis")
            .mayOnlyAccessLayers("dataset", "machine", "measure", "space")
            .whereLayer("tuning")
            .mayOnlyAccessLayers("study", "loader", "measure", "diagnosis", "machine", "dataset", "space")
            .whereLayer("cli")
            .mayNotBeAccessedByAnyLayer();

    @ArchTest
    static final ArchRule packages_form_no_cycle =
            slices().matching(CORE + "(**)").should().beFreeOfCycles().allowEmptyShould(true);

    @ArchTest
    static final ArchRule numbers_alone_start_no_process = noClasses()
            .that()
            .resideInAnyPackage(NUMBERS_ALONE)
            .should()
            .dependOnClassesThat()
            .belongToAnyOf(ProcessBuilder.class, Process.class, ProcessHandle.class, Runtime.class)
            .allowEmptyShould(true);

    @ArchTest
    static final ArchRule numbers_alone_read_no_clock = noClasses()
            .that()
            .resideInAnyPackage(NUMBERS_ALONE)
            .should()
            .accessTargetWhere(describe("a clock is read that was not handed in", HouseRulesTest::readsAClock))
            .allowEmptyShould(true);

    @ArchTest
    static final ArchRule numbers_alone_touch_no_file_and_no_network = noClasses()
            .that()
            .resideInAnyPackage(NUMBERS_ALONE)
            .should()
            .dependOnClassesThat(resideInAnyPackage("java.nio.file..", "java.nio.channels..", "java.net..")
                    .or(describe(
                            "are files of java.io",
                            type -> type.getName().startsWith("java.io.File")
                                    || type.getName().equals("java.io.RandomAccessFile"))))
            .allowEmptyShould(true);

    @ArchTest
    static final ArchRule names_say_what_a_class_is_for = noClasses()
            .should()
            .haveSimpleNameEndingWith("Util")
            .orShould()
            .haveSimpleNameEndingWith("Utils")
            .orShould()
            .haveSimpleNameEndingWith("Manager")
            .orShould()
            .haveSimpleNameEndingWith("Helper");

    @ArchTest
    static final ArchRule no_field_is_static_and_mutable =
            fields().that().areStatic().should().beFinal().allowEmptyShould(true);

    /** NullAway regards no other package. */
    @ArchTest
    static final ArchRule nullness_is_checked_everywhere = classes()
            .should(be(describe(
                    "in a package that is @NullMarked",
                    (JavaClass type) -> type.getPackage().isAnnotatedWith(NullMarked.class))));

    private static boolean readsAClock(JavaAccess<?> access) {
        String owner = access.getTargetOwner().getName();
        String name = access.getName();
        return switch (owner) {
            case "java.lang.System" -> name.equals("currentTimeMillis") || name.equals("nanoTime");
            case "java.util.Date", "java.util.Calendar", "java.util.GregorianCalendar" -> true;
            case "java.time.Clock" -> name.startsWith("system") || name.startsWith("tick");
            case "java.time.InstantSource" -> name.equals("system");
            default -> owner.startsWith("java.time.") && name.equals("now") && !isHandedAClock(access);
        };
    }

    private static boolean isHandedAClock(JavaAccess<?> access) {
        return access.getTarget() instanceof CodeUnitAccessTarget now
                && now.getRawParameterTypes().stream().anyMatch(type -> type.isEquivalentTo(Clock.class));
    }
}
