-- `lotward secrets reseal` seals again, row by row, as the app; a start counts by key, as the worker.
grant update (body) on mails to {{app}};
grant update (private_sealed) on signing_keys to {{app}};
-- Only the app reads second factors, sealed or not: the worker counts by version and key id.
alter table users
  add column totp_seal text generated always as (split_part(totp_sealed, '.', 1) || '.' || split_part(totp_sealed, '.', 2)) stored,
  add column totp_next_seal text
    generated always as (split_part(totp_next_sealed, '.', 1) || '.' || split_part(totp_next_sealed, '.', 2)) stored;
grant select (totp_seal, totp_next_seal) on users to {{worker}};
create index mails_sealed on mails (org_id, mail_id) where body_sealed;
create index idempotency_keys_sealed on idempotency_keys (org_id, credential_id, key) where left(body, 1) = 'v';

-- A service without the owner's login sees for itself whether the database is migrated, and who it is logged in as.
grant select on schema_migrations to {{app}}, {{reader}}, {{worker}};
grant select (kind, name) on service_roles to {{app}}, {{reader}}, {{worker}};
