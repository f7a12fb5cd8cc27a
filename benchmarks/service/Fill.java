import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * Fills a store: {@code java -cp h2.jar Fill.java JDBC-URL}. Every study, recommendation, trial and round is a copy of one
 * that the service measured, under other names: 2,000 datasets {@code dataset-1 …} of five versions {@code 1 … 5} each. Besides
 * there is one study of 2,000 trials, {@code large}, with made-up configs and rates.
 */
public class Fill {
    private static final int DATASETS = 2_000;
    private static final int VERSIONS = 5;
    private static final int TRIALS_OF_A_STUDY = 10;
    private static final int TRIALS_OF_THE_LARGE_STUDY = 2_000;

    public static void main(String[] arguments) throws SQLException {
        try (Connection database = DriverManager.getConnection(arguments[0], "sa", "");
                Statement statement = database.createStatement()) {
            statement.execute("create local temporary table copy as select number, 'copy-' || number as id,"
                    + " 'dataset-' || (mod(number, " + DATASETS + ") + 1) as dataset,"
                    + " cast(number / " + DATASETS + " + 1 as varchar) as version"
                    + " from system_range(0, " + (DATASETS * VERSIONS - 1) + ") as numbered(number)");
            statement.execute("create local temporary table model as select * from study"
                    + " where id = (select study_id from recommendation order by made limit 1)");
            statement.execute("""
                    insert into study (id, state, dataset, version, loader, machine_type, request, preparation, report,
                                       created_at, ended_at, ranks, progress_at, batch_times)
                    select copy.id, state, copy.dataset, copy.version, loader, machine_type,
                           regexp_replace(request, '"name":"[^"]*","version":"[^"]*"',
                                          '"name":"' || copy.dataset || '","version":"' || copy.version || '"'),
                           preparation, report, created_at, ended_at, ranks, progress_at, batch_times
                    from model cross join copy order by number
                    """);
            statement.execute("""
                    insert into recommendation (id, dataset, version, loader, machine_type, study_id, recommended, baseline,
                                                measured_at, device, fingerprint, torch)
                    select copy.id, copy.dataset, copy.version, loader, machine_type, copy.id, recommended, baseline,
                           measured_at, device, 'copy-' || copy.number, torch
                    from recommendation cross join copy where study_id = (select id from model) order by number
                    """);
            statement.execute("create local temporary table numbers as select number from system_range(1, "
                    + TRIALS_OF_A_STUDY + ") as numbered(number)");
            statement.execute("""
                    insert into trial (study_id, number, config, open_attempts, failure)
                    select copy.id, numbers.number, config, open_attempts, failure
                    from trial cross join copy cross join numbers
                    where study_id = (select id from model) and trial.number = 1
                    """);
            statement.execute("""
                    insert into round (study_id, trial_number, ordinal, record, arrivals)
                    select copy.id, numbers.number, ordinal, record, arrivals
                    from round cross join copy cross join numbers
                    where study_id = (select id from model) and trial_number = 1 and ordinal = 1
                    """);
            addLarge(statement);
            for (String table : new String[] {"study", "recommendation", "trial", "round"}) {
                try (ResultSet count = statement.executeQuery("select count(*) from " + table)) {
                    count.next();
                    System.out.println(count.getLong(1) + " rows in " + table);
                }
            }
        }
    }

    /** Workers, prefetch factors, batch sizes and rates go through all combinations; nobody measured any of them. */
    private static void addLarge(Statement statement) throws SQLException {
        statement.execute("create local temporary table large as select number from system_range(1, "
                + TRIALS_OF_THE_LARGE_STUDY + ") as numbered(number)");
        statement.execute("""
                insert into study (id, state, dataset, version, loader, machine_type, request, preparation, report,
                                   created_at, ended_at, ranks, progress_at, batch_times)
                select 'large', state, 'large', version, loader, machine_type, request, preparation, report,
                       created_at, ended_at, ranks, progress_at, batch_times
                from model
                """);
        statement.execute("""
                insert into trial (study_id, number, config, open_attempts, failure)
                select 'large', large.number,
                       regexp_replace(regexp_replace(regexp_replace(config,
                           '"num_workers":\\d+', '"num_workers":' || (1 + mod(large.number, 40))),
                           '"prefetch_factor":(\\d+|null)', '"prefetch_factor":' || (1 + mod(large.number / 40, 10))),
                           '"batch_size":\\d+', '"batch_size":' || (32 * (1 + large.number / 400))),
                       open_attempts, failure
                from trial cross join large where study_id = (select id from model) and trial.number = 1
                """);
        statement.execute("""
                insert into round (study_id, trial_number, ordinal, record, arrivals)
                select 'large', large.number, ordinal,
                       regexp_replace(regexp_replace(record,
                           '"samples_per_second":[0-9.E]+', '"samples_per_second":' || (500 + mod(large.number * 37, 1000))),
                           '"elapsed_seconds":[0-9.E]+', '"elapsed_seconds":' || (2 * large.number)),
                       arrivals
                from round cross join large
                where study_id = (select id from model) and trial_number = 1 and ordinal = 1
                """);
    }
}
