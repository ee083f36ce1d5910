-- Organizations and who may call for them; audit; idempotency.
-- {{app}}, {{reader}} and {{worker}} are the service's login roles. They own nothing.

grant usage on schema lotward to {{app}}, {{reader}}, {{worker}};

-- SET LOCAL, unlike set_config, is passed on by a distributed PostgreSQL to the node that holds the rows.
create function set_org(org text) returns void language plpgsql as $$
begin
  execute format('set local app.org = %L', org);
end
$$;

-- Names as they are searched: any case, any width of character, whatever locale the database has.
create function search_text(name text) returns text language sql immutable strict parallel safe
  return lower(normalize(name, nfkc) collate "und-x-icu");

-- What is searched for, anywhere in a name; nothing in it is a wildcard.
create function search_pattern(sought text) returns text language sql immutable strict parallel safe
  return '%' || regexp_replace(search_text(sought), '([\\%_])', '\\\1', 'g') || '%';

-- Facts about the installation itself (demo data loaded, and so on).
create table instance_state (
  key text primary key,
  value jsonb not null
);
grant select, insert, update on instance_state to {{app}};

-- Lookups before the organization is known. Small, without policies, nothing secret in them.
create table organization_directory (
  code text primary key,
  org_id text not null unique
);
create table api_key_directory (
  key_id text primary key,
  org_id text not null
);
create table user_directory (
  email text primary key,
  org_id text not null
);
grant select, insert on organization_directory, api_key_directory, user_directory to {{app}};
grant select on organization_directory, api_key_directory, user_directory to {{reader}}, {{worker}};

create table organizations (
  org_id text collate "C" primary key,
  code text not null,
  name text not null,
  edition text not null check (edition in ('ordinary', 'standard')),
  time_zone text not null,
  status text not null check (status in ('active', 'suspended')),
  created_at timestamptz not null,
  updated_at timestamptz not null
);

create table users (
  org_id text collate "C" not null references organizations,
  user_id text collate "C" not null,
  email text not null,
  role text not null check (role in ('admin', 'quality', 'warehouse', 'sales', 'viewer')),
  status text not null check (status in ('active', 'removed')),
  created_at timestamptz not null,
  primary key (org_id, user_id),
  constraint users_email_key unique (org_id, email)
);

create table partners (
  org_id text collate "C" not null references organizations,
  code text collate "C" not null,
  name text not null,
  search_name text not null generated always as (search_text(name)) stored,
  roles text[] not null check (roles <@ array['supplier', 'customer', 'manufacturer'] and cardinality(roles) > 0),
  contact jsonb,
  status text not null check (status in ('active', 'suspended')),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (org_id, code)
);

create table api_keys (
  org_id text collate "C" not null references organizations,
  key_id text collate "C" not null,
  name text not null,
  owner_email text not null,
  scopes text[] not null,
  allow_list text[] not null,
  customer_code text collate "C",
  secret_hash bytea not null,
  previous_secret_hash bytea,
  previous_valid_until timestamptz,
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  created_at timestamptz not null,
  created_by text not null,
  primary key (org_id, key_id),
  foreign key (org_id, customer_code) references partners (org_id, code)
);

-- Every write, in the write's transaction. Position and hash are given later, in batches, by the sealer:
-- a counter inside the write would make all writes of an organization wait for each other.
create table audit_entries (
  org_id text collate "C" not null,
  entry_id text collate "C" not null,
  at timestamptz not null,
  actor text not null,
  credential_id text not null,
  request_id text,
  action text not null,
  entity_type text not null,
  entity_id text not null,
  reason text,
  before jsonb,
  after jsonb,
  position bigint,
  hash text,
  primary key (org_id, entry_id),
  constraint audit_entries_position_key unique (org_id, position),
  check ((position is null) = (hash is null))
);
create index audit_entries_unsealed on audit_entries (org_id, at, entry_id) where position is null;
create index audit_entries_entity on audit_entries (org_id, entity_type, entity_id, entry_id);

create table audit_heads (
  org_id text collate "C" primary key,
  position bigint not null,
  hash text not null,
  sealed_at timestamptz not null
);

create table idempotency_keys (
  org_id text collate "C" not null,
  credential_id text collate "C" not null,
  key text collate "C" not null,
  request_hash bytea not null,
  created_at timestamptz not null,
  status integer,
  body text,
  primary key (org_id, credential_id, key)
);
create index idempotency_keys_age on idempotency_keys (org_id, created_at);

alter table organizations enable row level security;
alter table users enable row level security;
alter table partners enable row level security;
alter table api_keys enable row level security;
alter table audit_entries enable row level security;
alter table audit_heads enable row level security;
alter table idempotency_keys enable row level security;

create policy tenant on organizations to {{app}} using (org_id = nullif(current_setting('app.org', true), ''));
create policy tenant on users to {{app}} using (org_id = nullif(current_setting('app.org', true), ''));
create policy tenant on partners to {{app}} using (org_id = nullif(current_setting('app.org', true), ''));
create policy tenant on api_keys to {{app}} using (org_id = nullif(current_setting('app.org', true), ''));
create policy tenant on audit_entries to {{app}} using (org_id = nullif(current_setting('app.org', true), ''));
create policy tenant on audit_heads to {{app}} using (org_id = nullif(current_setting('app.org', true), ''));
create policy tenant on idempotency_keys to {{app}} using (org_id = nullif(current_setting('app.org', true), ''));

grant select, insert, update on organizations, users, partners to {{app}};
grant select, insert on api_keys to {{app}};
grant update (secret_hash, previous_secret_hash, previous_valid_until, revoked_at) on api_keys to {{app}};
grant select, insert on audit_entries to {{app}};
grant select on audit_heads to {{app}};
grant select, insert, update on idempotency_keys to {{app}};

-- The reader answers for several organizations in one statement, which always names them.
create policy read_named on organizations for select to {{reader}} using (true);
create policy read_named on api_keys for select to {{reader}} using (true);
create policy read_named on partners for select to {{reader}} using (true);
grant select on organizations, api_keys, partners to {{reader}};

-- The worker looks for due work everywhere and changes one organization at a time.
create policy find_work on organizations for select to {{worker}} using (true);
create policy find_work on api_keys for select to {{worker}} using (true);
create policy find_work on audit_entries for select to {{worker}} using (true);
create policy find_work on audit_heads for select to {{worker}} using (true);
create policy find_work on idempotency_keys for select to {{worker}} using (true);
create policy note_use on api_keys for update to {{worker}} using (true);
create policy seal on audit_entries for update to {{worker}}
  using (org_id = nullif(current_setting('app.org', true), '') and position is null) with check (true);
create policy seal_insert on audit_heads for insert to {{worker}}
  with check (org_id = nullif(current_setting('app.org', true), ''));
create policy seal_update on audit_heads for update to {{worker}}
  using (org_id = nullif(current_setting('app.org', true), ''));
create policy purge on idempotency_keys for delete to {{worker}}
  using (org_id = nullif(current_setting('app.org', true), ''));
grant select on organizations, api_keys, audit_entries, audit_heads, idempotency_keys to {{worker}};
grant update (last_used_at) on api_keys to {{worker}};
grant update (position, hash) on audit_entries to {{worker}};
grant insert, update on audit_heads to {{worker}};
grant delete on idempotency_keys to {{worker}};
