-- The name of the token that the study was posted with. Null where none was needed, and for studies posted before this was kept.
alter table study add column asked_by varchar(200);
-- What the list of studies is sorted by, so that no report has to be read for it. Null before a study is completed, and for
-- studies that were completed before this was kept.
alter table study add column best_samples_per_second double precision;
alter table study add column speedup double precision;
