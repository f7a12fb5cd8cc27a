package io.loadertuner.service.study;

import java.util.Optional;

/** Where the thread that measures finds short turns, which it takes before the studies that have not begun. */
public interface TurnSource {

    /** The next one on machines of that type, claimed for this service; empty where there is none. */
    Optional<Turn> next(String machineType);
}
