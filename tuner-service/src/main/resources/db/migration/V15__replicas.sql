-- The services on this database that live: each until its lease ends, unless it renews it. The database's clock counts.
create table replica (
    id          varchar(36) primary key,
    lease_until timestamp with time zone not null
);

-- The service that runs it; null where none does. No other writes what is measured.
alter table study add column runner varchar(36);
-- Somebody asked another service than the one that runs it to cancel it.
alter table study add column cancel_asked boolean default false not null;
alter table retry add column runner varchar(36);
