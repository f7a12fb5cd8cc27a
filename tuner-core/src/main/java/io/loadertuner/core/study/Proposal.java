package io.loadertuner.core.study;

/** What a {@link Sampler} wants. */
public sealed interface Proposal {

    /** Measure a round. */
    record Measure(Ask ask) implements Proposal {}

    /** Nothing can be proposed before one of the pending asks has been told. */
    record AwaitOutcome() implements Proposal {}

    /** Nothing more is worth measuring, or nothing more is there. */
    record Exhausted() implements Proposal {}
}
