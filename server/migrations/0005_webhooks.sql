-- Webhook configurations, where each of them stands in the feed, and what became of every push.

create table webhooks (
  org_id text collate "C" not null references organizations,
  webhook_id text collate "C" not null,
  callback_url text not null,
  event_types text[] not null check (cardinality(event_types) > 0),
  description text,
  customer_code text collate "C",
  -- Sealed. During an overlap `secret` is still the old one and `next_secret` the new one.
  secret text not null,
  next_secret text,
  overlap_until timestamptz,
  created_at timestamptz not null,
  created_by text not null,
  updated_at timestamptz not null,
  -- Kept until its attempts have been removed by age.
  deleted_at timestamptz,
  primary key (org_id, webhook_id),
  foreign key (org_id, customer_code) references partners (org_id, code),
  check ((next_secret is null) = (overlap_until is null))
);

-- What was subscribed to, by place in the feed: these types from the event after `after_position` on.
create table webhook_subscriptions (
  org_id text collate "C" not null,
  webhook_id text collate "C" not null,
  after_position bigint not null,
  event_types text[] not null,
  primary key (org_id, webhook_id, after_position),
  foreign key (org_id, webhook_id) references webhooks (org_id, webhook_id)
);

-- Small, and rewritten with every batch of results: room is left on the page for the next version.
create table webhook_states (
  org_id text collate "C" not null,
  webhook_id text collate "C" not null,
  status text not null check (status in ('enabled', 'disabled')),
  disabled_reason text,
  disabled_at timestamptz,
  consecutive_failures integer not null check (consecutive_failures >= 0),
  failing_since timestamptz,
  -- Every event up to here has a delivered attempt or a row in webhook_deliveries, or does not match.
  settled_to bigint not null,
  -- What is not settled up to here happened while it was disabled, and is skipped.
  send_from bigint not null,
  -- The earliest due_at of its deliveries.
  next_due_at timestamptz,
  -- Grows with every change of the configuration or the status: whoever holds the lease reads them again.
  version bigint not null,
  -- Who sends for it. Nothing is written for a holder whose token is not here any more.
  lease_token text,
  lease_owner text,
  leased_until timestamptz,
  delivered_total bigint not null,
  failed_total bigint not null,
  duration_ms_total bigint not null,
  primary key (org_id, webhook_id),
  foreign key (org_id, webhook_id) references webhooks (org_id, webhook_id),
  check ((status = 'disabled') = (disabled_at is not null))
) with (fillfactor = 50);

-- Only for pushes that did not succeed at once: a delivered attempt speaks for itself.
create table webhook_deliveries (
  org_id text collate "C" not null,
  webhook_id text collate "C" not null,
  position bigint not null,
  status text not null check (status in ('retrying', 'recovering', 'delivered', 'failed', 'skipped')),
  -- Attempts ever made, and since it was last given its full number of retries.
  attempts integer not null,
  tries integer not null,
  due_at timestamptz,
  -- A redelivery somebody asked for; if it fails, all is as before: `resume_due_at` becomes due_at again.
  manual boolean not null default false,
  resume_due_at timestamptz,
  updated_at timestamptz not null,
  primary key (org_id, webhook_id, position),
  foreign key (org_id, webhook_id) references webhooks (org_id, webhook_id),
  check (manual or (due_at is not null) = (status in ('retrying', 'recovering')))
);
create index webhook_deliveries_due on webhook_deliveries (org_id, webhook_id, due_at, position) where due_at is not null;

-- No foreign key: it would look the configuration up for every push.
create table webhook_attempts (
  org_id text collate "C" not null,
  webhook_id text collate "C" not null,
  position bigint not null,
  attempt integer not null,
  at timestamptz not null,
  duration_ms integer not null,
  delivered boolean not null,
  status integer,
  error text,
  response_excerpt text,
  primary key (org_id, webhook_id, position, attempt)
);

-- The worker processes that are alive, so that each knows its fair share of the endpoints.
create table workers (
  worker_id text primary key,
  seen_until timestamptz not null
);

alter table webhooks enable row level security;
alter table webhook_subscriptions enable row level security;
alter table webhook_states enable row level security;
alter table webhook_deliveries enable row level security;
alter table webhook_attempts enable row level security;

create policy tenant on webhooks to {{app}} using (org_id = nullif(current_setting('app.org', true), ''));
create policy tenant on webhook_subscriptions to {{app}} using (org_id = nullif(current_setting('app.org', true), ''));
create policy tenant on webhook_states to {{app}} using (org_id = nullif(current_setting('app.org', true), ''));
create policy tenant on webhook_deliveries to {{app}} using (org_id = nullif(current_setting('app.org', true), ''));
create policy tenant on webhook_attempts to {{app}} using (org_id = nullif(current_setting('app.org', true), ''));
grant select, insert, update on webhooks, webhook_subscriptions, webhook_deliveries to {{app}};
grant select, insert, update, delete on webhook_states to {{app}};
grant select on webhook_attempts to {{app}};

-- Leases, progress and attempts of all organizations are written in one statement each, every row with its own
-- organization; whatever depends on more than one row is done inside one organization.
create policy find_work on webhooks for select to {{worker}} using (true);
create policy find_work on webhook_subscriptions for select to {{worker}} using (true);
create policy find_work on webhook_states for select to {{worker}} using (true);
create policy find_work on webhook_deliveries for select to {{worker}} using (true);
create policy find_work on webhook_attempts for select to {{worker}} using (true);
create policy progress on webhook_states for update to {{worker}} using (true);
create policy note on webhook_attempts for insert to {{worker}} with check (true);
create policy deliver_insert on webhook_deliveries for insert to {{worker}}
  with check (org_id = nullif(current_setting('app.org', true), ''));
create policy deliver_update on webhook_deliveries for update to {{worker}}
  using (org_id = nullif(current_setting('app.org', true), ''));
create policy remove on webhook_deliveries for delete to {{worker}}
  using (org_id = nullif(current_setting('app.org', true), ''));
create policy remove on webhook_attempts for delete to {{worker}}
  using (org_id = nullif(current_setting('app.org', true), ''));
create policy remove on webhook_subscriptions for delete to {{worker}}
  using (org_id = nullif(current_setting('app.org', true), ''));
create policy remove on webhooks for delete to {{worker}}
  using (org_id = nullif(current_setting('app.org', true), '') and deleted_at is not null);
grant select, delete on webhooks, webhook_subscriptions to {{worker}};
grant select, update (status, disabled_reason, disabled_at, consecutive_failures, failing_since, settled_to, next_due_at,
  version, lease_token, lease_owner, leased_until, delivered_total, failed_total, duration_ms_total) on webhook_states to {{worker}};
grant select, insert, update, delete on webhook_deliveries to {{worker}};
grant select, insert, delete on webhook_attempts to {{worker}};
grant select, insert, update, delete on workers to {{worker}};

-- The holder of a lease may disable a configuration: it records that, and tells the administrators.
create policy find_work on users for select to {{worker}} using (true);
create policy record on audit_entries for insert to {{worker}}
  with check (org_id = nullif(current_setting('app.org', true), ''));
grant select on users to {{worker}};
grant insert (org_id, entry_id, at, actor, credential_id, request_id, action, entity_type, entity_id, reason, before, after)
  on audit_entries to {{worker}};
