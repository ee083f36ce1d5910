-- The requests of each credential, to find out why a call failed.

-- Written in bulk by every process, a few seconds late. `credential_id`: of a key or a client its id, of the console the person's.
-- `user_id`: the person on whose behalf an OAuth client called. `count`: alike refusals by the rate limit that the row stands for.
-- There is no foreign key to the credential, because the directory of people, keys and clients is three tables.
create table credential_requests (
  org_id text collate "C" not null references organizations,
  kind text collate "C" not null check (kind in ('api_key', 'oauth', 'console')),
  credential_id text collate "C" not null,
  at timestamptz not null,
  request_id text collate "C" not null,
  user_id text collate "C",
  caller_request_id text collate "C" check (char_length(caller_request_id) <= 128),
  method text collate "C" not null check (char_length(method) <= 16),
  route text collate "C" not null check (char_length(route) <= 512),
  path text collate "C" not null check (char_length(path) <= 512),
  status integer not null check (status between 100 and 599),
  reason text collate "C" check (reason is null or status >= 400),
  errors jsonb check (errors is null or status >= 400),
  duration_ms float8 not null check (duration_ms >= 0),
  request_bytes bigint not null check (request_bytes >= 0),
  response_bytes bigint check (response_bytes >= 0),
  count integer not null check (count >= 1),
  primary key (org_id, credential_id, at, request_id)
);
create index credential_requests_at on credential_requests (org_id, at, request_id);
-- Failures are few beside the rest, and mostly what is asked for.
create index credential_requests_failed on credential_requests (org_id, at, request_id) where status >= 400;

alter table credential_requests enable row level security;
create policy tenant on credential_requests to {{app}} using (org_id = nullif(current_setting('app.org', true), ''));
grant select on credential_requests to {{app}};

-- Requests of all organizations are written in one statement, every row with its own organization.
create policy find_work on credential_requests for select to {{worker}} using (true);
create policy log on credential_requests for insert to {{worker}} with check (true);
create policy remove on credential_requests for delete to {{worker}}
  using (org_id = nullif(current_setting('app.org', true), ''));
grant select, insert, delete on credential_requests to {{worker}};
