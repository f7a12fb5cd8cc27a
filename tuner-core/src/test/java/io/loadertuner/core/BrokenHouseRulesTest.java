package io.loadertuner.core;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What breaks a rule of {@link HouseRulesTest} is caught by it. */
class BrokenHouseRulesTest {
    private static final Pattern METHOD = Pattern.compile("^Method <\\S+?ReadsClocks\\.(\\w+)\\(");
    private static final JavaClasses BROKEN =
            new ClassFileImporter().importPackages("io.loadertuner.core.measure.broken");

    @Test
    void everyClockThatWasNotHandedInIsSeen() {
        List<String> methods = violations(HouseRulesTest.numbers_alone_read_no_clock).stream()
                .map(METHOD::matcher)
                .filter(Matcher::find)
                .map(method -> method.group(1))
                .toList();

        assertThat(methods)
                .containsExactlyInAnyOrder(
                        "milliseconds",
                        "nanoseconds",
                        "now",
                        "today",
                        "nowBesideAClock",
                        "byReference",
                        "byLambda",
                        "systemClock",
                        "systemClockOfAZone",
                        "tickingClock",
                        "systemSource");
    }

    @Test
    void aPackageWithoutNullMarkedIsSeen() {
        assertThat(violations(HouseRulesTest.nullness_is_checked_everywhere))
                .singleElement()
                .asString()
                .contains("ReadsClocks");
    }

    private static List<String> violations(ArchRule rule) {
        return rule.evaluate(BROKEN).getFailureReport().getDetails();
    }
}
