-- People who sign in and their sessions; OAuth clients, what they were given, and the keys it is signed with.

alter table users drop constraint users_status_check;
alter table users
  add constraint users_status_check check (status in ('invited', 'active', 'removed')),
  add column password_hash text,
  add column last_sign_in_at timestamptz,
  -- Sealed; the next one counts once its first code was given. The last step is remembered: no code works twice.
  add column totp_sealed text,
  add column totp_next_sealed text,
  add column totp_confirmed_at timestamptz,
  add column totp_last_step bigint,
  add constraint users_totp_check check ((totp_confirmed_at is null) = (totp_sealed is null)),
  add constraint users_removed_check check (
    status <> 'removed' or num_nonnulls(password_hash, totp_sealed, totp_next_sealed) = 0);

-- What was sent by mail to let somebody choose a password.
create table user_tokens (
  org_id text collate "C" not null,
  token_hash bytea not null,
  user_id text collate "C" not null,
  purpose text not null check (purpose in ('invitation', 'reset')),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (org_id, token_hash),
  foreign key (org_id, user_id) references users
);
create index user_tokens_of_user on user_tokens (org_id, user_id);

create table recovery_codes (
  org_id text collate "C" not null,
  user_id text collate "C" not null,
  code_hash bytea not null,
  used_at timestamptz,
  primary key (org_id, user_id, code_hash),
  foreign key (org_id, user_id) references users
);

-- Unfinished until the second factor was given, or set up where the role demands one.
create table sessions (
  org_id text collate "C" not null,
  session_id text collate "C" not null,
  user_id text collate "C" not null,
  secret_hash bytea not null,
  state text not null check (state in ('second_factor', 'enrolment', 'complete')),
  created_at timestamptz not null,
  last_seen_at timestamptz not null,
  expires_at timestamptz not null,
  address text not null,
  user_agent text,
  primary key (org_id, session_id),
  foreign key (org_id, user_id) references users
);
create index sessions_of_user on sessions (org_id, user_id);
create index sessions_expiry on sessions (org_id, expires_at);

-- Failed attempts to sign in, by a hash of the account (or of the account and a device it knows): an account that does
-- not exist is counted like one that does.
create table sign_in_failures (
  subject bytea primary key,
  failures integer not null check (failures > 0),
  blocked_until timestamptz not null,
  forget_at timestamptz not null
);
create index sign_in_failures_forget on sign_in_failures (forget_at);

create table oauth_client_directory (
  client_id text primary key,
  org_id text not null
);
create table oauth_clients (
  org_id text collate "C" not null references organizations,
  client_id text collate "C" not null,
  name text not null,
  owner_email text not null,
  scopes text[] not null,
  redirect_uris text[] not null,
  allow_list text[] not null,
  customer_code text collate "C",
  secret_hash bytea not null,
  previous_secret_hash bytea,
  previous_valid_until timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  created_at timestamptz not null,
  created_by text not null,
  primary key (org_id, client_id),
  foreign key (org_id, customer_code) references partners (org_id, code)
);

-- Tokens that were revoked before they expired. They are signed, not stored: only their end is.
create table oauth_revoked_tokens (
  org_id text collate "C" not null,
  token_id text collate "C" not null,
  expires_at timestamptz not null,
  primary key (org_id, token_id)
);
create index oauth_revoked_tokens_expiry on oauth_revoked_tokens (org_id, expires_at);

-- Codes, grants, refresh tokens, interactions: found by the hash of an id that cannot be guessed, never listed.
create table oauth_artifacts (
  model text collate "C" not null,
  id_hash bytea not null,
  payload jsonb not null,
  client_id text collate "C",
  grant_hash bytea,
  uid_hash bytea,
  expires_at timestamptz not null,
  consumed_at timestamptz,
  primary key (id_hash, model)
);
create index oauth_artifacts_grant on oauth_artifacts (grant_hash) where grant_hash is not null;
create index oauth_artifacts_uid on oauth_artifacts (uid_hash) where uid_hash is not null;
create index oauth_artifacts_expiry on oauth_artifacts (expires_at);

-- A key is published before it signs and as long as what it signed can be valid.
create table signing_keys (
  key_id text primary key,
  public_jwk jsonb not null,
  private_sealed text not null,
  created_at timestamptz not null,
  signs_from timestamptz not null
);

alter table user_tokens enable row level security;
alter table recovery_codes enable row level security;
alter table sessions enable row level security;
alter table oauth_clients enable row level security;
alter table oauth_revoked_tokens enable row level security;

create policy tenant on user_tokens to {{app}} using (org_id = nullif(current_setting('app.org', true), ''));
create policy tenant on recovery_codes to {{app}} using (org_id = nullif(current_setting('app.org', true), ''));
create policy tenant on sessions to {{app}} using (org_id = nullif(current_setting('app.org', true), ''));
create policy tenant on oauth_clients to {{app}} using (org_id = nullif(current_setting('app.org', true), ''));
create policy tenant on oauth_revoked_tokens to {{app}} using (org_id = nullif(current_setting('app.org', true), ''));
grant select, insert, delete on user_tokens to {{app}};
grant select, insert, delete on recovery_codes to {{app}};
grant update (used_at) on recovery_codes to {{app}};
grant select, insert, delete on sessions to {{app}};
grant update (secret_hash, state, last_seen_at, expires_at) on sessions to {{app}};
grant select, insert, update, delete on sign_in_failures, oauth_artifacts to {{app}};
grant select, insert on oauth_client_directory, oauth_revoked_tokens, signing_keys to {{app}};
grant select, insert on oauth_clients to {{app}};
grant update (name, redirect_uris, secret_hash, previous_secret_hash, previous_valid_until, revoked_at)
  on oauth_clients to {{app}};

-- Credentials are looked up for several organizations at once, each named in the statement.
create policy read_named on users for select to {{reader}} using (true);
create policy read_named on sessions for select to {{reader}} using (true);
create policy read_named on oauth_clients for select to {{reader}} using (true);
create policy read_named on oauth_revoked_tokens for select to {{reader}} using (true);
grant select (org_id, user_id, email, role, status) on users to {{reader}};
grant select on sessions, oauth_clients, oauth_revoked_tokens, oauth_client_directory, signing_keys to {{reader}};
grant select (model, id_hash, expires_at) on oauth_artifacts to {{reader}};

-- Whom to write to, and nothing they sign in with.
revoke select on users from {{worker}};
grant select (org_id, user_id, email, role, status, daily_digest, created_at) on users to {{worker}};
create policy find_work on user_tokens for select to {{worker}} using (true);
create policy find_work on sessions for select to {{worker}} using (true);
create policy find_work on oauth_clients for select to {{worker}} using (true);
create policy find_work on oauth_revoked_tokens for select to {{worker}} using (true);
create policy note_use on sessions for update to {{worker}} using (true);
create policy note_use on oauth_clients for update to {{worker}} using (true);
create policy remove on user_tokens for delete to {{worker}}
  using (org_id = nullif(current_setting('app.org', true), ''));
create policy remove on sessions for delete to {{worker}}
  using (org_id = nullif(current_setting('app.org', true), ''));
create policy remove on oauth_revoked_tokens for delete to {{worker}}
  using (org_id = nullif(current_setting('app.org', true), ''));
grant select, delete on user_tokens, sessions, oauth_revoked_tokens, sign_in_failures, oauth_artifacts to {{worker}};
grant select on oauth_clients to {{worker}};
grant update (last_seen_at) on sessions to {{worker}};
grant update (last_used_at) on oauth_clients to {{worker}};
grant select, insert, delete on signing_keys to {{worker}};

-- A mail that carries a link to sign in with waits sealed.
alter table mails add column body_sealed boolean not null default false;
grant insert (body_sealed) on mails to {{app}}, {{worker}};
