package io.loadertuner.service.machine;

import java.time.InstantSource;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.stereotype.Component;

/** Enters this machine among the known types when the service starts. */
@Component
class MachineRegistration implements InitializingBean {
    private final MachineTypeStore types;
    private final ThisMachine here;
    private final InstantSource clock;

    MachineRegistration(MachineTypeStore types, ThisMachine here, InstantSource clock) {
        this.types = types;
        this.here = here;
        this.clock = clock;
    }

    @Override
    public void afterPropertiesSet() {
        types.seen(here.type(), here.atStart(), clock.instant());
    }
}
