package io.loadertuner.core.loader;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ProcessLogTest {
    private static final int PART = ProcessLog.PART_BYTES;

    @Test
    void short_texts_are_kept_whole() {
        ProcessLog log = ProcessLog.of("zuerst: ä\n").then(ProcessLog.of("then\n"));

        assertThat(log.text()).isEqualTo("zuerst: ä\nthen\n");
        assertThat(ProcessLog.EMPTY.then(ProcessLog.EMPTY).isEmpty()).isTrue();
        assertThat(ProcessLog.of("a".repeat(2 * PART)).text()).isEqualTo("a".repeat(2 * PART));
    }

    @Test
    void of_a_long_one_the_beginning_and_the_end_are_kept() {
        ProcessLog log = ProcessLog.of("begin" + "x".repeat(3 * PART) + "end");

        assertThat(log.head()).hasSize(PART);
        assertThat(log.tail()).hasSize(PART);
        assertThat(log.leftOutBytes()).isEqualTo(PART + 8);
        assertThat(log.text())
                .startsWith("beginxxx")
                .endsWith("xxxend")
                .contains("[… " + (PART + 8) + " bytes left out …]");
    }

    @Test
    void in_whatever_pieces_it_comes_the_same_is_kept() {
        StringBuilder whole = new StringBuilder();
        for (int line = 0; line < 20_000; line++) {
            whole.append(line).append('\n');
        }
        ProcessLog atOnce = ProcessLog.of(whole.toString());

        for (int piece : List.of(1_000, PART - 1, PART, PART + 1, 2 * PART + 7, 3 * PART)) {
            ProcessLog joined = ProcessLog.EMPTY;
            for (int from = 0; from < whole.length(); from += piece) {
                joined = joined.then(ProcessLog.of(whole.substring(from, Math.min(whole.length(), from + piece))));
            }

            assertThat(joined.text()).isEqualTo(atOnce.text());
        }
    }
}
