package io.loadertuner.core.study;

import io.loadertuner.core.space.LoaderConfig;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;

/**
 * The best config so far and those that could not be told from it.
 *
 * @param carried without the leader, the more promising first
 */
record Front(LoaderConfig leader, List<LoaderConfig> carried) {

    Front {
        carried = List.copyOf(carried);
    }

    /** This front with another leader; the old one and {@code tied} are carried. */
    Front ledBy(LoaderConfig newLeader, Collection<LoaderConfig> tied) {
        LinkedHashSet<LoaderConfig> all = new LinkedHashSet<>(tied);
        all.addAll(carried);
        all.remove(newLeader);
        return new Front(newLeader, new ArrayList<>(all));
    }
}
