-- Every webhook belongs to the credential or the person that made it, and is disabled when that ends. Webhooks that exist
-- already have none of these: they belong to the organization.
alter table webhooks
  add column owner_key_id text collate "C",
  add column owner_client_id text collate "C",
  -- A person at the console or, with a client, the person on whose behalf the client acted.
  add column owner_user_id text collate "C",
  -- The grant of that person, by the hash under which it is stored. Grants are removed when they end: no foreign key.
  add column owner_grant bytea,
  add foreign key (org_id, owner_key_id) references api_keys (org_id, key_id),
  add foreign key (org_id, owner_client_id) references oauth_clients (org_id, client_id),
  add foreign key (org_id, owner_user_id) references users (org_id, user_id),
  add check (owner_key_id is null or num_nonnulls(owner_client_id, owner_user_id) = 0),
  add check ((owner_grant is not null) = (num_nonnulls(owner_client_id, owner_user_id) = 2));

-- Set with the end of an owner, in whose transaction nobody knows the addresses for a mail: the worker writes it.
alter table webhook_states
  add column end_notice_due boolean not null default false,
  add check (disabled_reason in ('manual', 'consecutive_failures', 'owner_ended')),
  add check (not end_notice_due or disabled_reason = 'owner_ended');
create index webhook_states_end_notice on webhook_states (org_id) where end_notice_due;

grant update (end_notice_due) on webhook_states to {{worker}};
