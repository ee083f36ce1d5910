-- Webhooks can be narrowed to customers, warehouses and products, send headers of their own, and push stock figures that changed.

-- The codes an event concerns: an object with `customerCodes`, `warehouses` and `productCodes`. A list that is missing stands for every
-- code, as does null in the events of before.
alter table events add column concerns jsonb;
grant insert (concerns) on events to {{app}};

-- What the webhook is narrowed to. Null: every code. `headers`: sealed; their names are no secret.
alter table webhooks
  add column filter_customers text[],
  add column filter_warehouses text[],
  add column filter_products text[],
  add column headers text,
  add column header_names text[] not null default '{}';
alter table webhooks add constraint webhooks_headers_check check ((headers is null) = (header_names = '{}'));
alter table webhooks add constraint webhooks_filter_check check (
    cardinality(filter_customers) > 0 and cardinality(filter_warehouses) > 0 and cardinality(filter_products) > 0);
alter table webhook_subscriptions
  add column filter_customers text[],
  add column filter_warehouses text[],
  add column filter_products text[];

-- The place of a webhook in the feed of stock changes, as long as it names `inventory.changed`: every row up to `position` was pushed, or
-- the filter left it out. Nothing is pushed before `due_at`, neither after a failure nor within a second of the last push.
create table webhook_stock_cursors (
  org_id text collate "C" not null,
  webhook_id text collate "C" not null,
  position bigint not null check (position >= 0),
  -- Attempts at the next row that failed in a row.
  tries integer not null default 0 check (tries >= 0),
  due_at timestamptz,
  -- The process that pushes for it. Nothing is written for a holder whose token is not here any more.
  lease_token text,
  leased_until timestamptz,
  primary key (org_id, webhook_id),
  foreign key (org_id, webhook_id) references webhooks (org_id, webhook_id),
  check ((lease_token is null) = (leased_until is null))
) with (fillfactor = 50);

alter table webhook_stock_cursors enable row level security;
create policy tenant on webhook_stock_cursors to {{app}} using (org_id = nullif(current_setting('app.org', true), ''));
create policy find_work on webhook_stock_cursors for select to {{worker}} using (true);
create policy push on webhook_stock_cursors for update to {{worker}} using (org_id = nullif(current_setting('app.org', true), ''));
grant select, insert, delete on webhook_stock_cursors to {{app}};
grant select, update (position, tries, due_at, lease_token, leased_until) on webhook_stock_cursors to {{worker}};

-- Workers look in all organizations for stock that changed.
create policy find_work on stock_change_heads for select to {{worker}} using (true);
