package io.loadertuner.service.study;

import io.loadertuner.core.loader.FailureReason;
import io.loadertuner.core.loader.TrialFailure;
import io.loadertuner.core.tuning.StudyState;
import io.loadertuner.service.machine.ThisMachine;
import io.loadertuner.service.settings.Database;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.stereotype.Component;

/**
 * Ends the studies that nobody would ever run. An embedded database serves this machine alone: when its type has changed,
 * what was posted for the old type waits in vain. In a shared database it may be another machine's.
 */
@Component
class StrandedStudies implements InitializingBean {
    private static final Logger log = LoggerFactory.getLogger(StrandedStudies.class);

    private final StudyStore studies;
    private final StudyLedger ledger;
    private final ThisMachine here;
    private final Database database;

    StrandedStudies(StudyStore studies, StudyLedger ledger, ThisMachine here, Database database) {
        this.studies = studies;
        this.ledger = ledger;
        this.here = here;
        this.database = database;
    }

    @Override
    public void afterPropertiesSet() {
        if (!database.isShared()) {
            studies.elsewhere(here.type()).forEach(this::end);
        }
    }

    private void end(StoredStudy stranded) {
        String why = "was posted for machine type " + stranded.machineType() + "; this machine is now " + here.type()
                + "; post it again";
        LogMarks.during(stranded.id(), () -> log.warn("Study {} of {} {}", stranded.id(), stranded.dataset(), why));
        ledger.ended(stranded, StudyState.FAILED, TrialFailure.of(FailureReason.RUNNER_ERROR, "the study " + why));
    }
}
