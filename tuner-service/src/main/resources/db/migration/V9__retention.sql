-- Whether it is still known when each batch of the study's trials arrived.
alter table study add column batch_times boolean default true not null;
