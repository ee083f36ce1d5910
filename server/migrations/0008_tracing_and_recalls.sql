-- The ledger in its exact order, what was scanned, and recalls.

-- What a customer has received stands in the ledger as well. Of earlier deliveries it is known
-- when they were entered, not by whom: the audit trail says that.
insert into movements (org_id, movement_id, kind, product_code, warehouse, batch_no, quantity, quantity_delta, document_type,
  document_id, document_no, document_line, counterparty_type, counterparty_code, occurred_at, recorded_at, actor, credential_id)
select m.org_id, left(m.movement_id, 14) || left(md5(m.movement_id), 16), 'delivery', m.product_code, m.warehouse, m.batch_no,
  m.quantity, 0, m.document_type, m.document_id, m.document_no, m.document_line, m.counterparty_type, m.counterparty_code,
  d.delivered_at, d.updated_at, 'unknown', 'system'
from movements m join dispatches d on d.org_id = m.org_id and d.dispatch_id = m.document_id
where m.kind = 'dispatch' and m.document_type = 'dispatch' and d.status = 'delivered';
insert into movement_serials (org_id, product_code, serial_no, movement_id)
select s.org_id, s.product_code, s.serial_no, n.movement_id
from movements n join movements m on m.org_id = n.org_id and m.document_type = n.document_type and m.document_id = n.document_id
  and m.kind = 'dispatch' and left(m.movement_id, 14) || left(md5(m.movement_id), 16) = n.movement_id
join movement_serials s on s.org_id = m.org_id and s.movement_id = m.movement_id
where n.kind = 'delivery';

-- Numbered product by product under the lock that every change of stock takes: the order in which things happened, and
-- proof that none is missing. Instants are taken before the lock and can be out of that order.
alter table products add column movements_made bigint not null default 0;
alter table movements add column position bigint;
with numbered as (
  select org_id, movement_id, row_number() over (partition by org_id, product_code order by recorded_at, movement_id) as position
  from movements)
update movements m set position = n.position from numbered n where m.org_id = n.org_id and m.movement_id = n.movement_id;
update products p set movements_made = (
  select count(*) from movements m where m.org_id = p.org_id and m.product_code = p.product_code);
alter table movements alter column position set not null;
create unique index movements_position_key on movements (org_id, product_code, position);
create index movements_chain on movements (org_id, product_code, batch_no, position);
create index movements_customer on movements (org_id, product_code, batch_no, counterparty_code)
  include (quantity, quantity_delta) where counterparty_type = 'customer';
create index movements_supplier on movements (org_id, product_code, batch_no, counterparty_code) where counterparty_type = 'supplier';
create index holds_batch on holds (org_id, product_code, batch_no);
drop index movements_batch;

-- What somebody read off a label, kept as evidence of the step it was read for.
create table scans (
  org_id text collate "C" not null references organizations,
  scan_id text collate "C" not null,
  purpose text not null check (purpose in ('receipt', 'pick', 'recheck')),
  document_id text collate "C" not null,
  -- null: read at a re-check that failed, and of no line of the dispatch
  line_no integer,
  code text not null,
  product_code text collate "C" not null,
  batch_no text collate "C" not null,
  serial_no text collate "C",
  quantity integer not null check (quantity > 0),
  scanned_at timestamptz not null,
  scanned_by text not null,
  primary key (org_id, scan_id),
  foreign key (org_id, product_code) references products (org_id, product_code)
);
create index scans_document on scans (org_id, document_id, scan_id);
-- The codes a receipt says its lines were read from: as long as it can be corrected, those of the latest version.
alter table receipt_lines add column udis text[] not null default '{}';

create table recalls (
  org_id text collate "C" not null references organizations,
  recall_id text collate "C" not null,
  recall_no text collate "C" not null,
  product_code text collate "C" not null,
  -- `product`: every batch, also those that come later.
  extent text not null check (extent in ('product', 'batches', 'serials')),
  class text not null check (class in ('I', 'II', 'III')),
  reason text not null,
  status text not null check (status in ('open', 'closed')),
  opened_at timestamptz not null,
  opened_by text not null,
  closed_at timestamptz,
  closed_by text,
  close_reason text,
  version integer not null,
  -- How far the product's ledger had come: what left before it was opened and what came back before it was closed is its
  -- business, and no more.
  opened_position bigint not null,
  closed_position bigint,
  primary key (org_id, recall_id),
  constraint recalls_no_key unique (org_id, recall_no),
  foreign key (org_id, product_code) references products (org_id, product_code),
  check ((status = 'closed') = (closed_at is not null))
);
create index recalls_product on recalls (org_id, product_code, recall_id);
create index dispatches_open on dispatches (org_id, dispatch_id) where status in ('picking', 'rechecking');

create table recall_batches (
  org_id text collate "C" not null,
  recall_id text collate "C" not null,
  product_code text collate "C" not null,
  batch_no text collate "C" not null,
  primary key (org_id, recall_id, batch_no),
  foreign key (org_id, recall_id) references recalls (org_id, recall_id),
  foreign key (org_id, product_code, batch_no) references batches (org_id, product_code, batch_no)
);
create index recall_batches_batch on recall_batches (org_id, product_code, batch_no);

create table recall_serials (
  org_id text collate "C" not null,
  recall_id text collate "C" not null,
  product_code text collate "C" not null,
  serial_no text collate "C" not null,
  primary key (org_id, recall_id, serial_no),
  foreign key (org_id, recall_id) references recalls (org_id, recall_id),
  foreign key (org_id, product_code, serial_no) references serials (org_id, product_code, serial_no)
);
create index recall_serials_serial on recall_serials (org_id, product_code, serial_no);

-- The holds by which it blocks stock. They are released by closing it, and by nothing else.
create table recall_holds (
  org_id text collate "C" not null,
  recall_id text collate "C" not null,
  hold_id text collate "C" not null,
  primary key (org_id, recall_id, hold_id),
  constraint recall_holds_hold_key unique (org_id, hold_id),
  foreign key (org_id, recall_id) references recalls (org_id, recall_id),
  foreign key (org_id, hold_id) references holds (org_id, hold_id)
);

-- Dispatches that were open with recalled goods in them when it began, and were stopped.
create table recall_dispatches (
  org_id text collate "C" not null,
  recall_id text collate "C" not null,
  dispatch_id text collate "C" not null,
  quantity integer not null check (quantity > 0),
  primary key (org_id, recall_id, dispatch_id),
  foreign key (org_id, recall_id) references recalls (org_id, recall_id),
  foreign key (org_id, dispatch_id) references dispatches (org_id, dispatch_id)
);

-- Customers who said that they know. Who has to be asked is computed from the ledger.
create table recall_acknowledgements (
  org_id text collate "C" not null,
  recall_id text collate "C" not null,
  customer_code text collate "C" not null,
  acknowledged_at timestamptz not null,
  recorded_at timestamptz not null,
  recorded_by text not null,
  note text,
  primary key (org_id, recall_id, customer_code),
  foreign key (org_id, recall_id) references recalls (org_id, recall_id),
  foreign key (org_id, customer_code) references partners (org_id, code)
);

alter table scans enable row level security;
alter table recalls enable row level security;
alter table recall_batches enable row level security;
alter table recall_serials enable row level security;
alter table recall_holds enable row level security;
alter table recall_dispatches enable row level security;
alter table recall_acknowledgements enable row level security;

create policy tenant on scans to {{app}} using (org_id = nullif(current_setting('app.org', true), ''));
create policy tenant on recalls to {{app}} using (org_id = nullif(current_setting('app.org', true), ''));
create policy tenant on recall_batches to {{app}} using (org_id = nullif(current_setting('app.org', true), ''));
create policy tenant on recall_serials to {{app}} using (org_id = nullif(current_setting('app.org', true), ''));
create policy tenant on recall_holds to {{app}} using (org_id = nullif(current_setting('app.org', true), ''));
create policy tenant on recall_dispatches to {{app}} using (org_id = nullif(current_setting('app.org', true), ''));
create policy tenant on recall_acknowledgements to {{app}} using (org_id = nullif(current_setting('app.org', true), ''));

grant select, insert on scans, recall_batches, recall_serials, recall_holds, recall_dispatches to {{app}};
grant select, insert, update on recalls, recall_acknowledgements to {{app}};
