package io.loadertuner.core.loader.pytorch;

/**
 * One of several training processes on this machine.
 *
 * @param number from 0
 * @param worldSize how many there are
 */
record Rank(int number, int worldSize) {

    @Override
    public String toString() {
        return "rank " + number + " of " + worldSize;
    }
}
