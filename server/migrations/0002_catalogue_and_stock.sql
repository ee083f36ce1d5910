-- Products, warehouses, and the stock ledger.

create extension if not exists pg_trgm with schema public;

create table warehouses (
  org_id text collate "C" not null references organizations,
  code text collate "C" not null check (code <> '*'),
  name text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (org_id, code)
);

create table warehouse_zones (
  org_id text collate "C" not null,
  warehouse text collate "C" not null,
  code text collate "C" not null,
  name text not null,
  position integer not null,
  primary key (org_id, warehouse, code),
  foreign key (org_id, warehouse) references warehouses (org_id, code)
);

create table products (
  org_id text collate "C" not null references organizations,
  product_code text collate "C" not null,
  product_id text collate "C" not null,
  product_name text not null,
  search_name text not null generated always as (search_text(product_name)) stored,
  specification text,
  model text,
  manufacturer text,
  category text,
  risk_class text check (risk_class in ('I', 'II', 'III')),
  registration_no text,
  unit text,
  temperature_min numeric,
  temperature_max numeric,
  humidity_min numeric,
  humidity_max numeric,
  sterile boolean not null,
  implantable boolean not null,
  tracking text not null check (tracking in ('none', 'batch', 'serial')),
  shelf_life_days integer check (shelf_life_days > 0),
  safety_stock integer not null check (safety_stock >= 0),
  near_expiry_days integer not null check (near_expiry_days >= 0),
  supplier_code text collate "C",
  status text not null check (status in ('active', 'suspended', 'discontinued')),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (org_id, product_code),
  constraint products_id_key unique (org_id, product_id),
  foreign key (org_id, supplier_code) references partners (org_id, code)
);
create index products_updated on products (org_id, updated_at);
create index products_name_search on products using gin (search_name gin_trgm_ops);

-- What a scanned device identifier stands for: the product itself, or a package of it.
create table device_identifiers (
  org_id text collate "C" not null,
  udi_di text collate "C" not null,
  product_code text collate "C" not null,
  -- null: the unit of use itself; otherwise the name of the packaging level
  level text,
  quantity integer not null check (quantity > 0),
  position integer not null,
  constraint device_identifiers_pkey primary key (org_id, udi_di),
  foreign key (org_id, product_code) references products (org_id, product_code)
);
create index device_identifiers_product on device_identifiers (org_id, product_code);

create table batches (
  org_id text collate "C" not null,
  product_code text collate "C" not null,
  batch_no text collate "C" not null,
  manufacture_date date,
  expiry_date date,
  created_at timestamptz not null,
  primary key (org_id, product_code, batch_no),
  foreign key (org_id, product_code) references products (org_id, product_code)
);

-- Always the sum of its movements. `held`: pieces on hold one by one; `whole_holds`: holds on the whole batch
-- that cover this warehouse, under which everything here is blocked and nothing can stay reserved.
create table balances (
  org_id text collate "C" not null,
  product_code text collate "C" not null,
  warehouse text collate "C" not null,
  batch_no text collate "C" not null,
  quantity integer not null,
  reserved integer not null default 0,
  held integer not null default 0,
  whole_holds integer not null default 0,
  primary key (org_id, product_code, warehouse, batch_no),
  foreign key (org_id, product_code, batch_no) references batches (org_id, product_code, batch_no),
  foreign key (org_id, warehouse) references warehouses (org_id, code),
  constraint balances_not_negative check (quantity >= 0 and reserved >= 0 and held >= 0 and whole_holds >= 0),
  constraint balances_not_overcommitted check (reserved + held <= quantity),
  constraint balances_held_not_reserved check (whole_holds = 0 or reserved = 0)
);
create index balances_by_warehouse on balances (org_id, warehouse, product_code) where quantity > 0;

-- Serial numbers ever seen. `warehouse` is null when the piece is not in stock.
create table serials (
  org_id text collate "C" not null,
  product_code text collate "C" not null,
  serial_no text collate "C" not null,
  batch_no text collate "C" not null,
  warehouse text collate "C",
  holds integer not null default 0 check (holds >= 0),
  primary key (org_id, product_code, serial_no),
  foreign key (org_id, product_code, batch_no) references batches (org_id, product_code, batch_no),
  foreign key (org_id, warehouse) references warehouses (org_id, code)
);
create index serials_in_stock on serials (org_id, product_code, batch_no, warehouse) where warehouse is not null;

-- `quantity` null and no serials: the whole batch, in `warehouse` or (null) everywhere, later arrivals included.
create table holds (
  org_id text collate "C" not null,
  hold_id text collate "C" not null,
  product_code text collate "C" not null,
  batch_no text collate "C" not null,
  warehouse text collate "C",
  extent text not null check (extent in ('batch', 'quantity', 'serials')),
  quantity integer check (quantity >= 0),
  source text not null check (source in ('manual', 'recall', 'return')),
  reason text not null,
  created_at timestamptz not null,
  created_by text not null,
  released_at timestamptz,
  released_by text,
  release_reason text,
  primary key (org_id, hold_id),
  foreign key (org_id, product_code, batch_no) references batches (org_id, product_code, batch_no),
  foreign key (org_id, warehouse) references warehouses (org_id, code),
  check ((extent = 'batch') = (quantity is null)),
  check (extent <> 'quantity' or warehouse is not null)
);
create index holds_active on holds (org_id, product_code, batch_no) where released_at is null;

create table hold_serials (
  org_id text collate "C" not null,
  hold_id text collate "C" not null,
  product_code text collate "C" not null,
  serial_no text collate "C" not null,
  primary key (org_id, hold_id, serial_no),
  foreign key (org_id, hold_id) references holds (org_id, hold_id),
  foreign key (org_id, product_code, serial_no) references serials (org_id, product_code, serial_no)
);
create index hold_serials_serial on hold_serials (org_id, product_code, serial_no);

-- Append-only. `quantity_delta` is what the movement adds to the balance (0 for holds and releases, which
-- move nothing but belong to a piece's history); `quantity` is how much it concerns.
create table movements (
  org_id text collate "C" not null,
  movement_id text collate "C" not null,
  kind text not null,
  product_code text collate "C" not null,
  warehouse text collate "C" not null,
  batch_no text collate "C" not null,
  quantity integer not null check (quantity >= 0),
  quantity_delta integer not null check (quantity_delta = 0 or abs(quantity_delta) = quantity),
  document_type text not null,
  document_id text collate "C" not null,
  document_no text,
  document_line integer,
  counterparty_type text check (counterparty_type in ('supplier', 'customer', 'warehouse')),
  counterparty_code text collate "C",
  reason text,
  occurred_at timestamptz not null,
  recorded_at timestamptz not null,
  actor text not null,
  credential_id text not null,
  primary key (org_id, movement_id),
  foreign key (org_id, product_code, batch_no) references batches (org_id, product_code, batch_no),
  foreign key (org_id, warehouse) references warehouses (org_id, code)
);
create index movements_batch on movements (org_id, product_code, batch_no, movement_id);
create index movements_document on movements (org_id, document_type, document_id);

create table movement_serials (
  org_id text collate "C" not null,
  product_code text collate "C" not null,
  serial_no text collate "C" not null,
  movement_id text collate "C" not null,
  primary key (org_id, product_code, serial_no, movement_id),
  foreign key (org_id, movement_id) references movements (org_id, movement_id)
);
create index movement_serials_movement on movement_serials (org_id, movement_id);

alter table warehouses enable row level security;
alter table warehouse_zones enable row level security;
alter table products enable row level security;
alter table device_identifiers enable row level security;
alter table batches enable row level security;
alter table balances enable row level security;
alter table serials enable row level security;
alter table holds enable row level security;
alter table hold_serials enable row level security;
alter table movements enable row level security;
alter table movement_serials enable row level security;

create policy tenant on warehouses to {{app}} using (org_id = nullif(current_setting('app.org', true), ''));
create policy tenant on warehouse_zones to {{app}} using (org_id = nullif(current_setting('app.org', true), ''));
create policy tenant on products to {{app}} using (org_id = nullif(current_setting('app.org', true), ''));
create policy tenant on device_identifiers to {{app}} using (org_id = nullif(current_setting('app.org', true), ''));
create policy tenant on batches to {{app}} using (org_id = nullif(current_setting('app.org', true), ''));
create policy tenant on balances to {{app}} using (org_id = nullif(current_setting('app.org', true), ''));
create policy tenant on serials to {{app}} using (org_id = nullif(current_setting('app.org', true), ''));
create policy tenant on holds to {{app}} using (org_id = nullif(current_setting('app.org', true), ''));
create policy tenant on hold_serials to {{app}} using (org_id = nullif(current_setting('app.org', true), ''));
create policy tenant on movements to {{app}} using (org_id = nullif(current_setting('app.org', true), ''));
create policy tenant on movement_serials to {{app}} using (org_id = nullif(current_setting('app.org', true), ''));

grant select, insert, update on warehouses, products, balances, serials, holds to {{app}};
grant select, insert, update, delete on warehouse_zones to {{app}};
grant select, insert, delete on device_identifiers to {{app}};
grant select, insert on batches, hold_serials, movements, movement_serials to {{app}};
grant delete on hold_serials to {{app}};

create policy read_named on warehouses for select to {{reader}} using (true);
create policy read_named on products for select to {{reader}} using (true);
create policy read_named on device_identifiers for select to {{reader}} using (true);
create policy read_named on batches for select to {{reader}} using (true);
create policy read_named on balances for select to {{reader}} using (true);
grant select on warehouses, products, device_identifiers, batches, balances to {{reader}};
