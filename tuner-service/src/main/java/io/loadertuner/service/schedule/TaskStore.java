package io.loadertuner.service.schedule;

import javax.sql.DataSource;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.stereotype.Repository;

/** The table {@code scheduled_tasks}, which is db-scheduler's. */
@Repository
class TaskStore {
    private final DataSource database;

    TaskStore(DataSource database) {
        this.database = database;
    }

    /** For a scheduler whose rows are written in the transaction at hand, if there is one. */
    DataSource inTransaction() {
        return new TransactionAwareDataSourceProxy(database);
    }
}
