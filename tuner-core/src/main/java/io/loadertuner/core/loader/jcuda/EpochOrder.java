package io.loadertuner.core.loader.jcuda;

import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** The order of samples in each epoch: a permutation that follows from seed and epoch alone, whatever loads them. */
final class EpochOrder {
    private final int length;
    private final long seed;
    private @Nullable Permutation newest;
    private @Nullable Permutation before;

    /** The indices of an epoch by their place in it. */
    private static final class Permutation {
        private final long epoch;
        private final int[] indices;

        Permutation(long epoch, int[] indices) {
            this.epoch = epoch;
            this.indices = indices;
        }
    }

    EpochOrder(int length, long seed) {
        this.length = length;
        this.seed = seed;
    }

    /** By their place in the epoch. Two epochs are kept: workers may be ahead by one. */
    synchronized int[] of(long epoch) {
        if (newest != null && newest.epoch == epoch) {
            return newest.indices;
        }
        if (before != null && before.epoch == epoch) {
            return before.indices;
        }
        Permutation made = new Permutation(epoch, shuffled(epoch));
        before = newest;
        newest = made;
        return made.indices;
    }

    /** By Fisher and Yates. */
    private int[] shuffled(long epoch) {
        int[] indices = new int[length];
        for (int place = 0; place < length; place++) {
            indices[place] = place;
        }
        SplittableRandom random = new SplittableRandom(mixed(seed, epoch));
        for (int place = length - 1; place > 0; place--) {
            int other = random.nextInt(place + 1);
            int index = indices[place];
            indices[place] = indices[other];
            indices[other] = index;
        }
        return indices;
    }

    /** The seed of one sample in one epoch. */
    long sampleSeed(long epoch, int index) {
        return mixed(mixed(seed, epoch), index);
    }

    /** The finaliser of SplitMix64 (Steele, Lea, Flood, 2014) over both. */
    private static long mixed(long first, long second) {
        long bits = first + (second + 1) * 0x9e3779b97f4a7c15L;
        bits = (bits ^ (bits >>> 30)) * 0xbf58476d1ce4e5b9L;
        bits = (bits ^ (bits >>> 27)) * 0x94d049bb133111ebL;
        return bits ^ (bits >>> 31);
    }
}
