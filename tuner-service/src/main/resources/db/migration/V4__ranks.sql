-- Training processes that a study is for: what is best for one is not for several.
alter table study add column ranks integer default 1 not null;
