package io.loadertuner.core.model;

import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * One process loading batches, one at a time: samples are waited for and worked on in turn, then the batch is finished.
 *
 * <p>Where storage serves everybody at once, samples are taken together in a few pieces; where they queue for it, each is
 * a piece of its own. A batch costs the same whoever loads it: its draws follow from the seed, the rank and its index.
 */
final class BatchLoading {
    private static final int PIECES = 4;

    private final Simulation simulation;
    private final int rank;
    private final double cpuSecondsToFinish;
    private final Runnable nextPiece = this::nextPiece;
    private final Runnable pieceServed = this::pieceServed;
    private RandomGenerator random = new SplittableRandom(0);
    private Runnable then = () -> {};
    private int samplesLeft;
    private int piecesLeft;
    private int samplesInPiece;

    /**
     * @param cpuSecondsToFinish work for each batch once its samples are there
     */
    BatchLoading(Simulation simulation, int rank, double cpuSecondsToFinish) {
        this.simulation = simulation;
        this.rank = rank;
        this.cpuSecondsToFinish = cpuSecondsToFinish;
    }

    void load(int batch, Runnable whenLoaded) {
        then = whenLoaded;
        random = simulation.randomOfBatch(rank, batch);
        samplesLeft = simulation.config().batchSize();
        piecesLeft = pieces();
        nextPiece();
    }

    private int pieces() {
        if (simulation.dataset().waitSecondsPerSample().meanSeconds() == 0) {
            return 1;
        }
        return simulation.queuesForStorage() ? samplesLeft : Math.min(PIECES, samplesLeft);
    }

    private void nextPiece() {
        if (piecesLeft == 0) {
            then.run();
            return;
        }
        samplesInPiece = samplesOfNextPiece();
        samplesLeft -= samplesInPiece;
        piecesLeft--;
        double wait = simulation.dataset().waitSecondsPerSample().sumSeconds(samplesInPiece, random);
        if (simulation.queuesForStorage()) {
            simulation.storage().serve(wait, pieceServed);
        } else {
            simulation.timeline().after(wait, pieceServed);
        }
    }

    /** Of random size, so that equal workers do not wait and work in step for ever. */
    private int samplesOfNextPiece() {
        if (piecesLeft == 1 || piecesLeft == samplesLeft) {
            return samplesLeft / piecesLeft;
        }
        int mean = samplesLeft / piecesLeft;
        return 1 + random.nextInt(2 * mean - 1);
    }

    private void pieceServed() {
        double cpu = simulation.dataset().cpuSecondsPerSample().sumSeconds(samplesInPiece, random);
        simulation.timeline().work(piecesLeft == 0 ? cpu + cpuSecondsToFinish : cpu, nextPiece);
    }
}
