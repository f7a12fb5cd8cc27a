package io.loadertuner.service;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.conditions.ArchConditions.be;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import org.jspecify.annotations.NullMarked;

/** The rules of the house. */
@AnalyzeClasses(packages = "io.loadertuner", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
    @ArchTest
    static final ArchRule theCoreKnowsNothingOfTheService = noClasses()
            .that()
            .resideInAPackage("io.loadertuner.core..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.loadertuner.service..", "org.springframework..", "jakarta..");

    @ArchTest
    static final ArchRule packagesDependOneWay =
            slices().matching("io.loadertuner.service.(*)..").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule onlyStoresSpeakSql = noClasses()
            .that()
            .haveSimpleNameNotEndingWith("Store")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.springframework.jdbc..");

    @ArchTest
    static final ArchRule onlyTheWebSpeaksHttp = noClasses()
            .that()
            .resideOutsideOfPackages("io.loadertuner.service.web..", "io.loadertuner.service.security..")
            .and()
            .haveNameNotMatching(".*Controller(\\$.*)?")
            .and()
            .haveSimpleNameNotEndingWith("Problems")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.springframework.http..", "org.springframework.web..", "jakarta.servlet..");

    @ArchTest
    static final ArchRule controllersAskServices = noClasses()
            .that()
            .haveSimpleNameEndingWith("Controller")
            .and()
            .resideInAnyPackage("..study..", "..recommendation..")
            .should()
            .dependOnClassesThat()
            .haveSimpleNameEndingWith("Store");

    @ArchTest
    static final ArchRule namesSayWhatAClassIs = noClasses()
            .that()
            .resideInAPackage("io.loadertuner.service..")
            .should()
            .haveSimpleNameEndingWith("Util")
            .orShould()
            .haveSimpleNameEndingWith("Utils")
            .orShould()
            .haveSimpleNameEndingWith("Manager")
            .orShould()
            .haveSimpleNameEndingWith("Helper");

    /** NullAway regards no other package. */
    @ArchTest
    static final ArchRule nullnessIsCheckedEverywhere = classes()
            .should(be(describe(
                    "in a package that is @NullMarked",
                    (JavaClass type) -> type.getPackage().isAnnotatedWith(NullMarked.class))));
}
