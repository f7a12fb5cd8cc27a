-- The digest of the descriptor that was measured, and the version of PyTorch. Null for recommendations made before these were kept.
alter table recommendation add column fingerprint varchar(64);
alter table recommendation add column torch varchar(64);
create index recommendation_by_fingerprint on recommendation (fingerprint, machine_type, made);
