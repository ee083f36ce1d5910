-- Imports of files over the API, carried out by the workers.

-- `row_count`: null until a worker has read the file. `due_at`: when a worker may go on with it; null once it has ended. The requester
-- is a key, an OAuth client (with the grant of the person it acted for) or a person at the console: the import stops when it ends.
create table imports (
  org_id text collate "C" not null,
  import_id text collate "C" not null,
  kind text not null check (kind in ('products', 'partners', 'certificates', 'opening_stock')),
  format text not null check (format in ('csv', 'ndjson')),
  dry_run boolean not null,
  status text not null check (status in ('queued', 'running', 'done', 'stopped', 'cancelled')),
  stopped_reason text,
  stopped_message text,
  row_count integer check (row_count >= 0),
  created_count integer not null default 0 check (created_count >= 0),
  updated_count integer not null default 0 check (updated_count >= 0),
  refused_count integer not null default 0 check (refused_count >= 0),
  attempts integer not null default 0 check (attempts >= 0),
  due_at timestamptz,
  created_at timestamptz not null,
  created_by text not null,
  updated_at timestamptz not null,
  finished_at timestamptz,
  credential_id text not null,
  requester_key_id text collate "C",
  requester_client_id text collate "C",
  requester_user_id text collate "C",
  -- Grants are removed when they end: no foreign key.
  requester_grant bytea,
  primary key (org_id, import_id),
  foreign key (org_id, requester_key_id) references api_keys (org_id, key_id),
  foreign key (org_id, requester_client_id) references oauth_clients (org_id, client_id),
  foreign key (org_id, requester_user_id) references users (org_id, user_id),
  constraint imports_requester_check check (num_nonnulls(requester_key_id, requester_client_id, requester_user_id) > 0
    and (requester_key_id is null or num_nonnulls(requester_client_id, requester_user_id) = 0)),
  constraint imports_due_check check ((status in ('queued', 'running')) = (due_at is not null)),
  constraint imports_finished_check check ((due_at is null) = (finished_at is not null)),
  constraint imports_stopped_check check ((status = 'stopped') = (stopped_reason is not null)),
  -- No row counts twice, however often a worker dies.
  constraint imports_count_check check (created_count + updated_count + refused_count <= coalesce(row_count, 0))
);
create index imports_due on imports (due_at) where due_at is not null;
create index imports_unfinished on imports (org_id, import_id) where due_at is not null;
create index imports_finished on imports (org_id, finished_at) where finished_at is not null;
create index imports_updated on imports (org_id, updated_at, import_id);

-- What is still to be done of an import. Position 0 is the file as it was sent; a worker replaces it with its rows, a hundred to a
-- part, and removes each part in the transaction that writes its rows.
create table import_parts (
  org_id text collate "C" not null,
  import_id text collate "C" not null,
  position integer not null check (position >= 0),
  content text not null,
  primary key (org_id, import_id, position),
  foreign key (org_id, import_id) references imports (org_id, import_id)
);

-- The first of the rows that were refused, each with its reasons.
create table import_refusals (
  org_id text collate "C" not null,
  import_id text collate "C" not null,
  line integer not null check (line >= 1),
  errors json not null,
  primary key (org_id, import_id, line),
  foreign key (org_id, import_id) references imports (org_id, import_id)
);

alter table imports enable row level security;
alter table import_parts enable row level security;
alter table import_refusals enable row level security;
create policy tenant on imports to {{app}} using (org_id = nullif(current_setting('app.org', true), ''));
create policy tenant on import_parts to {{app}} using (org_id = nullif(current_setting('app.org', true), ''));
create policy tenant on import_refusals to {{app}} using (org_id = nullif(current_setting('app.org', true), ''));
grant select, insert on imports to {{app}};
grant update (status, stopped_reason, stopped_message, row_count, created_count, updated_count, refused_count, attempts, due_at,
  updated_at, finished_at) on imports to {{app}};
grant select, insert, delete on import_parts to {{app}};
grant select, insert on import_refusals to {{app}};

create policy find_work on imports for select to {{worker}} using (true);
create policy remove_old on imports for delete to {{worker}} using (org_id = nullif(current_setting('app.org', true), ''));
create policy find_old on import_refusals for select to {{worker}} using (org_id = nullif(current_setting('app.org', true), ''));
create policy remove_old on import_refusals for delete to {{worker}} using (org_id = nullif(current_setting('app.org', true), ''));
grant select (org_id, import_id, due_at, finished_at), delete on imports to {{worker}};
grant select (org_id, import_id, line), delete on import_refusals to {{worker}};
