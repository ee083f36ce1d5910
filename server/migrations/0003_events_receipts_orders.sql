-- Events and the feed, receiving, orders, dispatching, low stock.

alter table organizations add column same_person_recheck boolean not null default false;

-- Written in the transaction of the change they tell of. `position` is given afterwards, by the sequencer, to rows
-- that are committed: a number taken inside the write could become visible after a larger one.
create table events (
  org_id text collate "C" not null,
  event_id text collate "C" not null,
  event_type text not null,
  at timestamptz not null,
  entity_type text not null,
  entity_id text collate "C" not null,
  entity_version bigint not null,
  customer_code text collate "C",
  body text not null,
  position bigint,
  primary key (org_id, event_id),
  constraint events_position_key unique (org_id, position)
);
create index events_customer on events (org_id, customer_code, position) where customer_code is not null;
create index events_age on events (org_id, at) where position is not null;
create index events_unnumbered on events (org_id, at, entity_version, event_id) where position is null;

create table event_heads (
  org_id text collate "C" primary key,
  position bigint not null,
  -- Events up to here were removed by age.
  removed_to bigint not null default 0
);

create table low_stock_notices (
  org_id text collate "C" not null,
  product_code text collate "C" not null,
  day date not null,
  primary key (org_id, product_code, day),
  foreign key (org_id, product_code) references products (org_id, product_code)
);

create table receipts (
  org_id text collate "C" not null references organizations,
  receipt_id text collate "C" not null,
  receipt_no text collate "C" not null,
  kind text not null check (kind in ('purchase', 'return')),
  supplier_code text collate "C",
  customer_code text collate "C",
  warehouse text collate "C" not null,
  status text not null check (status in ('pending_acceptance', 'accepted', 'partially_accepted', 'rejected')),
  remark text,
  version integer not null,
  created_at timestamptz not null,
  created_by text not null,
  updated_at timestamptz not null,
  accepted_at timestamptz,
  accepted_by text,
  primary key (org_id, receipt_id),
  constraint receipts_no_key unique (org_id, receipt_no),
  foreign key (org_id, supplier_code) references partners (org_id, code),
  foreign key (org_id, customer_code) references partners (org_id, code),
  foreign key (org_id, warehouse) references warehouses (org_id, code),
  check ((kind = 'purchase') = (supplier_code is not null) and (kind = 'return') = (customer_code is not null)),
  check ((status = 'pending_acceptance') = (accepted_at is null))
);
create index receipts_updated on receipts (org_id, updated_at);

create table receipt_lines (
  org_id text collate "C" not null,
  receipt_id text collate "C" not null,
  line_no integer not null,
  product_code text collate "C" not null,
  batch_no text collate "C" not null,
  manufacture_date date,
  expiry_date date,
  quantity integer not null check (quantity > 0),
  serials text[] not null,
  accepted_quantity integer,
  rejected_quantity integer,
  reject_reason text,
  accepted_serials text[],
  primary key (org_id, receipt_id, line_no),
  foreign key (org_id, receipt_id) references receipts (org_id, receipt_id),
  foreign key (org_id, product_code) references products (org_id, product_code),
  check (accepted_quantity is null or accepted_quantity + rejected_quantity = quantity)
);

create table orders (
  org_id text collate "C" not null references organizations,
  order_id text collate "C" not null,
  order_no text collate "C" not null,
  customer_code text collate "C" not null,
  warehouse text collate "C" not null,
  status text not null check (status in
    ('pending_approval', 'approved', 'rejected', 'cancelled', 'partially_dispatched', 'dispatched', 'delivered')),
  on_hold boolean not null,
  requested_date date,
  currency text not null,
  remark text,
  source_version bigint,
  version integer not null,
  created_at timestamptz not null,
  created_by text not null,
  updated_at timestamptz not null,
  primary key (org_id, order_id),
  constraint orders_no_key unique (org_id, customer_code, order_no),
  foreign key (org_id, customer_code) references partners (org_id, code),
  foreign key (org_id, warehouse) references warehouses (org_id, code)
);
create index orders_updated on orders (org_id, updated_at);
create index orders_no on orders (org_id, order_no);
create index orders_status on orders (org_id, status, order_id);

create table order_lines (
  org_id text collate "C" not null,
  order_id text collate "C" not null,
  line_no integer not null,
  product_code text collate "C" not null,
  quantity integer not null check (quantity > 0),
  unit_price numeric(18, 6) not null check (unit_price >= 0),
  batch_no text collate "C",
  min_remaining_shelf_life_days integer,
  dispatched_quantity integer not null default 0 check (dispatched_quantity >= 0),
  delivered_quantity integer not null default 0 check (delivered_quantity >= 0),
  closed_quantity integer not null default 0 check (closed_quantity >= 0),
  primary key (org_id, order_id, line_no),
  foreign key (org_id, order_id) references orders (org_id, order_id),
  foreign key (org_id, product_code) references products (org_id, product_code),
  constraint order_lines_not_overshipped check (dispatched_quantity + closed_quantity <= quantity),
  constraint order_lines_delivered_after_dispatch check (delivered_quantity <= dispatched_quantity)
);

create table order_status_changes (
  org_id text collate "C" not null,
  order_id text collate "C" not null,
  version integer not null,
  step integer not null,
  previous_status text,
  current_status text not null,
  changed_by text not null,
  changed_at timestamptz not null,
  reason text,
  primary key (org_id, order_id, version, step),
  foreign key (org_id, order_id) references orders (org_id, order_id)
);

create table dispatches (
  org_id text collate "C" not null,
  dispatch_id text collate "C" not null,
  order_id text collate "C" not null,
  status text not null check (status in ('picking', 'rechecking', 'dispatched', 'delivered', 'cancelled')),
  picked_by text,
  rechecked_by text,
  recheck_reason text,
  carrier text,
  tracking_no text,
  received_by text,
  cancel_reason text,
  version integer not null,
  created_at timestamptz not null,
  created_by text not null,
  updated_at timestamptz not null,
  picked_at timestamptz,
  rechecked_at timestamptz,
  dispatched_at timestamptz,
  delivered_at timestamptz,
  cancelled_at timestamptz,
  primary key (org_id, dispatch_id),
  foreign key (org_id, order_id) references orders (org_id, order_id)
);
create index dispatches_order on dispatches (org_id, order_id);

create table dispatch_lines (
  org_id text collate "C" not null,
  dispatch_id text collate "C" not null,
  order_id text collate "C" not null,
  line_no integer not null,
  quantity integer not null check (quantity > 0),
  primary key (org_id, dispatch_id, line_no),
  foreign key (org_id, dispatch_id) references dispatches (org_id, dispatch_id),
  foreign key (org_id, order_id, line_no) references order_lines (org_id, order_id, line_no)
);

create table dispatch_picks (
  org_id text collate "C" not null,
  dispatch_id text collate "C" not null,
  line_no integer not null,
  batch_no text collate "C" not null,
  quantity integer not null check (quantity > 0),
  serials text[] not null,
  reason text,
  primary key (org_id, dispatch_id, line_no, batch_no),
  foreign key (org_id, dispatch_id, line_no) references dispatch_lines (org_id, dispatch_id, line_no)
);

-- What of a batch is promised to a line of an order, and, once a dispatch is open for it, to that dispatch
-- (empty: not yet). The sum over a batch in a warehouse is the balance's `reserved`.
create table reservations (
  org_id text collate "C" not null,
  order_id text collate "C" not null,
  line_no integer not null,
  batch_no text collate "C" not null,
  dispatch_id text collate "C" not null,
  product_code text collate "C" not null,
  warehouse text collate "C" not null,
  quantity integer not null check (quantity > 0),
  reserved_at timestamptz not null,
  primary key (org_id, order_id, line_no, batch_no, dispatch_id),
  foreign key (org_id, order_id, line_no) references order_lines (org_id, order_id, line_no),
  foreign key (org_id, product_code, warehouse, batch_no) references balances (org_id, product_code, warehouse, batch_no)
);
create index reservations_stock on reservations (org_id, product_code, warehouse, batch_no);

alter table events enable row level security;
alter table event_heads enable row level security;
alter table low_stock_notices enable row level security;
alter table receipts enable row level security;
alter table receipt_lines enable row level security;
alter table orders enable row level security;
alter table order_lines enable row level security;
alter table order_status_changes enable row level security;
alter table dispatches enable row level security;
alter table dispatch_lines enable row level security;
alter table dispatch_picks enable row level security;
alter table reservations enable row level security;

create policy tenant on events to {{app}} using (org_id = nullif(current_setting('app.org', true), ''));
create policy tenant on event_heads to {{app}} using (org_id = nullif(current_setting('app.org', true), ''));
create policy tenant on low_stock_notices to {{app}} using (org_id = nullif(current_setting('app.org', true), ''));
create policy tenant on receipts to {{app}} using (org_id = nullif(current_setting('app.org', true), ''));
create policy tenant on receipt_lines to {{app}} using (org_id = nullif(current_setting('app.org', true), ''));
create policy tenant on orders to {{app}} using (org_id = nullif(current_setting('app.org', true), ''));
create policy tenant on order_lines to {{app}} using (org_id = nullif(current_setting('app.org', true), ''));
create policy tenant on order_status_changes to {{app}} using (org_id = nullif(current_setting('app.org', true), ''));
create policy tenant on dispatches to {{app}} using (org_id = nullif(current_setting('app.org', true), ''));
create policy tenant on dispatch_lines to {{app}} using (org_id = nullif(current_setting('app.org', true), ''));
create policy tenant on dispatch_picks to {{app}} using (org_id = nullif(current_setting('app.org', true), ''));
create policy tenant on reservations to {{app}} using (org_id = nullif(current_setting('app.org', true), ''));

grant select on events to {{app}};
-- Everything but the position, which is not the writer's to give.
grant insert (org_id, event_id, event_type, at, entity_type, entity_id, entity_version, customer_code, body) on events to {{app}};
grant select, insert on low_stock_notices, order_status_changes to {{app}};
grant select on event_heads to {{app}};
grant select, insert, update on receipts, orders, dispatches to {{app}};
grant select, insert, update, delete on receipt_lines, order_lines, reservations to {{app}};
grant select, insert on dispatch_lines to {{app}};
grant select, insert, delete on dispatch_picks to {{app}};

create policy find_work on events for select to {{worker}} using (true);
create policy find_work on event_heads for select to {{worker}} using (true);
create policy number on events for update to {{worker}}
  using (org_id = nullif(current_setting('app.org', true), '') and position is null) with check (true);
create policy remove on events for delete to {{worker}}
  using (org_id = nullif(current_setting('app.org', true), '') and position is not null);
create policy number_insert on event_heads for insert to {{worker}}
  with check (org_id = nullif(current_setting('app.org', true), ''));
create policy number_update on event_heads for update to {{worker}}
  using (org_id = nullif(current_setting('app.org', true), ''));
grant select, delete on events to {{worker}};
grant update (position) on events to {{worker}};
grant select, insert, update on event_heads to {{worker}};
