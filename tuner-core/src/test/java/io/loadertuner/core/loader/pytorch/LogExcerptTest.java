package io.loadertuner.core.loader.pytorch;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LogExcerptTest {
    private static final String DUMP = """
            Fatal Python error: Segmentation fault

            Current thread 0x01 (most recent call first):
              File "mine.py", line 81 in decode
            """;
    private static final String DEEP = "  File \"process.py\", line 108 in run\n".repeat(200);
    private static final String CHATTER = "ConnectionResetError: [Errno 104] Connection reset by peer\n".repeat(200);

    @Test
    void aShortLogIsWhole() {
        assertThat(LogExcerpt.of("")).isEmpty();
        assertThat(LogExcerpt.of("a\nb\n")).isEqualTo("a\nb\n");
        assertThat(LogExcerpt.of("warning\n" + DUMP)).isEqualTo("warning\n" + DUMP);
    }

    @Test
    void ofALongOneTheEndIsKept() {
        assertThat(LogExcerpt.of("x".repeat(5000) + "the cause")).hasSize(4000).endsWith("xxxthe cause");
    }

    @Test
    void theFrameAtFaultIsKeptHoweverDeepTheStackAndWhateverIsPrintedAfterIt() {
        assertThat(LogExcerpt.of(CHATTER + DUMP + DEEP)).hasSize(4000).startsWith(DUMP);
        assertThat(LogExcerpt.of(DUMP + DEEP + CHATTER)).hasSize(4000).startsWith(DUMP);
    }

    @Test
    void aDumpAtTheVeryEndComesWithWhatLedToIt() {
        assertThat(LogExcerpt.of(CHATTER + DUMP)).hasSize(4000).endsWith("by peer\n" + DUMP);
    }
}
