-- Keys and OAuth clients belong to the person who made them and end with that person; their owner confirms them; sessions
-- know when the second factor was given; grants are found by the person who gave them.

-- Null: of the organization, as everything that exists and everything that the operator makes. It ends with nobody.
alter table api_keys
  add column belongs_to text,
  add column owner_confirmed_at timestamptz,
  add column disabled_at timestamptz,
  add column disabled_reason text check (disabled_reason in ('owner_ended')),
  add constraint api_keys_belongs_to_fkey foreign key (org_id, belongs_to) references users (org_id, email),
  add constraint api_keys_disabled_check check ((disabled_at is null) = (disabled_reason is null));
alter table oauth_clients
  add column belongs_to text,
  add column owner_confirmed_at timestamptz,
  add column disabled_at timestamptz,
  add column disabled_reason text check (disabled_reason in ('owner_ended')),
  add constraint oauth_clients_belongs_to_fkey foreign key (org_id, belongs_to) references users (org_id, email),
  add constraint oauth_clients_disabled_check check ((disabled_at is null) = (disabled_reason is null));

-- What exists goes on in the name of its owner.
update api_keys set owner_confirmed_at = created_at;
update oauth_clients set owner_confirmed_at = created_at;

-- Until the owner confirms it, a credential acts in the name of the person it belongs to: there must be one.
alter table api_keys
  add constraint api_keys_owner_check check (owner_confirmed_at is not null or belongs_to is not null);
alter table oauth_clients
  add constraint oauth_clients_owner_check check (owner_confirmed_at is not null or belongs_to is not null);

grant update (name, scopes, allow_list, owner_email, belongs_to, owner_confirmed_at, disabled_at, disabled_reason)
  on api_keys to {{app}};
grant update (scopes, allow_list, owner_email, belongs_to, owner_confirmed_at, disabled_at, disabled_reason)
  on oauth_clients to {{app}};

alter table sessions add column second_factor_at timestamptz;
grant update (second_factor_at) on sessions to {{app}};

alter table oauth_artifacts
  add column user_id text collate "C" generated always as (payload ->> 'accountId') stored;
create index oauth_artifacts_grants_of_user on oauth_artifacts (user_id) where model = 'Grant';
create index oauth_artifacts_grants_of_client on oauth_artifacts (client_id, expires_at) where model = 'Grant';
