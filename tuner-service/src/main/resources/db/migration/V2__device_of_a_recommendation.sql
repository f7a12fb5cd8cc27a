-- What the batches went to when it was measured: cpu, cuda:0. Null for recommendations made before this was kept.
alter table recommendation add column device varchar(32);
