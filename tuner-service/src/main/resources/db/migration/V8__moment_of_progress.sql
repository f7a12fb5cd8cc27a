-- The moment that the report's progress is of, from which a running study's time goes on; null where nobody measures it.
alter table study add column progress_at timestamp with time zone;
