-- What consignees answered to a recall, why it was closed without the answer of some, and its events.

-- How many of the shipped units the consignee has, used, returned, destroyed and cannot find. That they are no more than were
-- shipped is checked when the answer is recorded: what was shipped before the recall does not change.
create table recall_answers (
  org_id text collate "C" not null,
  recall_id text collate "C" not null,
  customer_code text collate "C" not null,
  on_hand integer not null check (on_hand >= 0),
  used integer not null check (used >= 0),
  returned integer not null check (returned >= 0),
  destroyed integer not null check (destroyed >= 0),
  not_found integer not null check (not_found >= 0),
  note text,
  answered_at timestamptz not null,
  answered_by text not null,
  primary key (org_id, recall_id, customer_code),
  foreign key (org_id, recall_id) references recalls (org_id, recall_id),
  foreign key (org_id, customer_code) references partners (org_id, code)
);

-- Consignees without whose answer the recall was closed.
create table recall_unanswered (
  org_id text collate "C" not null,
  recall_id text collate "C" not null,
  customer_code text collate "C" not null,
  reason text not null,
  primary key (org_id, recall_id, customer_code),
  foreign key (org_id, recall_id) references recalls (org_id, recall_id),
  foreign key (org_id, customer_code) references partners (org_id, code)
);

-- The instant of its last event: the next one is not before it. Null: none yet.
alter table recalls add column last_event_at timestamptz;

-- Goods can be on one hold for several reasons: the return that brought them, and every recall that covers them.
alter table recall_holds drop constraint recall_holds_hold_key;
create index recall_holds_hold on recall_holds (org_id, hold_id);

alter table recall_answers enable row level security;
alter table recall_unanswered enable row level security;
create policy tenant on recall_answers to {{app}} using (org_id = nullif(current_setting('app.org', true), ''));
create policy tenant on recall_unanswered to {{app}} using (org_id = nullif(current_setting('app.org', true), ''));
grant select, insert, update on recall_answers to {{app}};
grant select, insert on recall_unanswered to {{app}};

-- An event that only the customer it names may read: its view of an event of the organization.
alter table events add column customer_view boolean not null default false;
-- Earlier events need not be looked at: none of them is a view.
alter table events add constraint events_customer_view_check check (not customer_view or customer_code is not null) not valid;
grant insert (customer_view) on events to {{app}};
-- Events that are pushed before all others, and their stored pushes.
alter table webhook_deliveries add column urgent boolean not null default false;
create index webhook_deliveries_urgent on webhook_deliveries (org_id, webhook_id, due_at, position) where urgent and due_at is not null;
create index events_urgent on events (org_id, customer_code, position)
  where event_type in ('recall.opened', 'recall.updated', 'recall.closed');
