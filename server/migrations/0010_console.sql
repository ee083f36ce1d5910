-- What the console shows: how much each credential is used, and the counts of its first page.

-- By the hour, added to by every process now and then. `credential_id`: of a key or a client its id, of the console
-- the person's.
create table credential_usage (
  org_id text collate "C" not null references organizations,
  kind text collate "C" not null check (kind in ('api_key', 'oauth', 'console')),
  credential_id text collate "C" not null,
  hour timestamptz not null,
  requests bigint not null check (requests >= 0),
  client_errors bigint not null check (client_errors >= 0),
  server_errors bigint not null check (server_errors >= 0),
  limited bigint not null check (limited >= 0),
  primary key (org_id, kind, credential_id, hour)
);
create index credential_usage_hour on credential_usage (org_id, hour);

alter table credential_usage enable row level security;
create policy tenant on credential_usage to {{app}} using (org_id = nullif(current_setting('app.org', true), ''));
grant select on credential_usage to {{app}};

-- Counts of all organizations are written in one statement, every row with its own organization.
create policy find_work on credential_usage for select to {{worker}} using (true);
create policy count_insert on credential_usage for insert to {{worker}} with check (true);
create policy count_update on credential_usage for update to {{worker}} using (true);
create policy remove on credential_usage for delete to {{worker}}
  using (org_id = nullif(current_setting('app.org', true), ''));
grant select, insert, delete on credential_usage to {{worker}};
grant update (requests, client_errors, server_errors, limited) on credential_usage to {{worker}};

-- What waits for somebody is little beside what is done: it is counted without walking through the rest.
create index orders_on_hold on orders (org_id, order_id) where on_hold;
create index receipts_pending on receipts (org_id, receipt_id) where status = 'pending_acceptance';
create index environment_alerts_unacknowledged on environment_alerts (org_id, alert_id) where acknowledged_at is null;
create index recalls_open on recalls (org_id, recall_id) where status = 'open';
create index webhook_deliveries_failed on webhook_deliveries (org_id, updated_at) where status = 'failed';
