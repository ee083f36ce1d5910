-- The register of nonconforming goods, and the dispositions that two people decide about them.

-- A hold may belong to an entry of the register; a part that is split off belongs to the same entry.
alter table holds add column nc_id text collate "C";
create index holds_of_nonconformity on holds (org_id, nc_id) where nc_id is not null;

-- `hold_id` is not kept here: goods in stock stand under holds that name the entry. Goods rejected at acceptance were never in
-- stock and have none. Of the quantity, each unit is open, proposed, approved, executed (by dispositions), released (with its
-- hold) or adjusted out.
create table nonconformities (
  org_id text collate "C" not null references organizations,
  nc_id text collate "C" not null,
  source_kind text not null check (source_kind in ('receipt', 'return', 'manual')),
  source_id text collate "C",
  source_no text,
  source_line integer,
  product_code text collate "C" not null,
  product_name text not null,
  batch_no text collate "C" not null,
  expiry_date date,
  serials text[] not null,
  quantity integer not null check (quantity > 0),
  warehouse text collate "C" not null,
  supplier_code text collate "C",
  customer_code text collate "C",
  in_stock boolean not null,
  reason text not null,
  proposed_quantity integer not null default 0 check (proposed_quantity >= 0),
  approved_quantity integer not null default 0 check (approved_quantity >= 0),
  executed_quantity integer not null default 0 check (executed_quantity >= 0),
  released_quantity integer not null default 0 check (released_quantity >= 0),
  adjusted_quantity integer not null default 0 check (adjusted_quantity >= 0),
  status text not null generated always as (case
    when executed_quantity + released_quantity + adjusted_quantity = quantity then 'closed'
    when approved_quantity + executed_quantity + released_quantity + adjusted_quantity = quantity then 'decided'
    else 'open' end) stored,
  created_at timestamptz not null,
  created_by text not null,
  closed_at timestamptz,
  version integer not null default 1,
  primary key (org_id, nc_id),
  foreign key (org_id, product_code) references products (org_id, product_code),
  foreign key (org_id, warehouse) references warehouses (org_id, code),
  constraint nonconformities_not_exceeded check (proposed_quantity + approved_quantity + executed_quantity + released_quantity
    + adjusted_quantity <= quantity),
  constraint nonconformities_source check ((source_kind = 'manual') = (source_id is null)),
  constraint nonconformities_serials check (cardinality(serials) in (0, quantity)),
  constraint nonconformities_closed check ((closed_at is not null)
    = (executed_quantity + released_quantity + adjusted_quantity = quantity))
);
create index nonconformities_status on nonconformities (org_id, status, nc_id);
create index nonconformities_batch on nonconformities (org_id, product_code, batch_no);
-- A document makes one entry of each kind for each of its lines.
create unique index nonconformities_source_line on nonconformities (org_id, source_kind, source_id, source_line);

create table dispositions (
  org_id text collate "C" not null references organizations,
  disposition_id text collate "C" not null,
  kind text not null check (kind in ('release', 'destroy', 'return_to_supplier', 'rework')),
  status text not null check (status in ('proposed', 'approved', 'rejected', 'executed')),
  reason text not null,
  supplier_code text collate "C",
  supplier_name text,
  proposed_at timestamptz not null,
  proposed_by text not null,
  approved_at timestamptz,
  approved_by text,
  rejected_at timestamptz,
  rejected_by text,
  reject_reason text,
  executed_at timestamptz,
  executed_by text,
  witness text,
  carrier text,
  tracking_no text,
  version integer not null default 1,
  primary key (org_id, disposition_id),
  foreign key (org_id, supplier_code) references partners (org_id, code),
  constraint dispositions_two_people check (approved_by <> proposed_by),
  constraint dispositions_approved check ((status in ('approved', 'executed')) <= (approved_at is not null and approved_by is not null)),
  constraint dispositions_rejected check ((status = 'rejected') = (rejected_at is not null)),
  constraint dispositions_executed check ((status = 'executed') = (executed_at is not null)),
  constraint dispositions_witnessed check (status <> 'executed' or kind <> 'destroy' or witness is not null),
  constraint dispositions_supplier check ((kind = 'return_to_supplier') = (supplier_code is not null))
);
create index dispositions_status on dispositions (org_id, status, disposition_id);

create table disposition_lines (
  org_id text collate "C" not null,
  disposition_id text collate "C" not null,
  line_no integer not null,
  hold_id text collate "C",
  nc_id text collate "C",
  product_code text collate "C" not null,
  product_name text not null,
  batch_no text collate "C" not null,
  expiry_date date,
  warehouse text collate "C" not null,
  quantity integer not null check (quantity > 0),
  serials text[] not null,
  primary key (org_id, disposition_id, line_no),
  foreign key (org_id, disposition_id) references dispositions (org_id, disposition_id),
  foreign key (org_id, hold_id) references holds (org_id, hold_id),
  foreign key (org_id, nc_id) references nonconformities (org_id, nc_id),
  foreign key (org_id, product_code) references products (org_id, product_code),
  foreign key (org_id, warehouse) references warehouses (org_id, code),
  constraint disposition_lines_of check (hold_id is not null or nc_id is not null),
  constraint disposition_lines_serials check (cardinality(serials) in (0, quantity))
);
create index disposition_lines_hold on disposition_lines (org_id, hold_id) where hold_id is not null;
create index disposition_lines_nonconformity on disposition_lines (org_id, nc_id) where nc_id is not null;
create index disposition_lines_batch on disposition_lines (org_id, product_code, batch_no);

alter table holds add constraint holds_nonconformity_fkey foreign key (org_id, nc_id) references nonconformities (org_id, nc_id);

alter table nonconformities enable row level security;
alter table dispositions enable row level security;
alter table disposition_lines enable row level security;
create policy tenant on nonconformities to {{app}} using (org_id = nullif(current_setting('app.org', true), ''));
create policy tenant on dispositions to {{app}} using (org_id = nullif(current_setting('app.org', true), ''));
create policy tenant on disposition_lines to {{app}} using (org_id = nullif(current_setting('app.org', true), ''));
grant select, insert, update on nonconformities, dispositions to {{app}};
grant select, insert on disposition_lines to {{app}};

-- What was rejected before is in the register too, open: nobody recorded what became of it.
insert into nonconformities (org_id, nc_id, source_kind, source_id, source_no, source_line, product_code, product_name, batch_no,
  expiry_date, serials, quantity, warehouse, supplier_code, customer_code, in_stock, reason, created_at, created_by)
select r.org_id, 'nc_' || substr(r.receipt_id, 5, 10) || upper(left(md5(r.receipt_id || ' ' || l.line_no), 16)), 'receipt',
  r.receipt_id, r.receipt_no, l.line_no, l.product_code, coalesce(l.product_name, p.product_name), l.batch_no, l.expiry_date,
  case when cardinality(u.serials) = l.rejected_quantity then u.serials else '{}' end,
  l.rejected_quantity, r.warehouse, r.supplier_code, r.customer_code, false, coalesce(l.reject_reason, 'rejected at acceptance'),
  r.accepted_at, r.accepted_by
from receipts r join receipt_lines l on l.org_id = r.org_id and l.receipt_id = r.receipt_id
join products p on p.org_id = l.org_id and p.product_code = l.product_code
left join (select x.org_id, x.receipt_id, x.line_no, array_agg(s order by s) as serials
  from receipt_lines x cross join lateral unnest(x.serials) s
  where s <> all (coalesce(x.accepted_serials, '{}')) group by x.org_id, x.receipt_id, x.line_no) u
  on u.org_id = l.org_id and u.receipt_id = l.receipt_id and u.line_no = l.line_no
where l.rejected_quantity > 0 and r.accepted_at is not null;

-- So are unmatched returns that still stand on hold. A hold and the movement of its goods carry the same instant.
insert into nonconformities (org_id, nc_id, source_kind, source_id, source_no, source_line, product_code, product_name, batch_no,
  expiry_date, serials, quantity, warehouse, customer_code, in_stock, reason, created_at, created_by)
select distinct on (h.org_id, m.document_id, m.document_line) h.org_id, 'nc_' || substr(h.hold_id, 5), 'return', m.document_id,
  m.document_no, m.document_line, h.product_code, p.product_name, h.batch_no, t.expiry_date,
  case when cardinality(u.serials) = h.quantity then u.serials else '{}' end, h.quantity, m.warehouse, m.counterparty_code, true,
  h.reason, h.created_at, h.created_by
from holds h join movements m on m.org_id = h.org_id and m.product_code = h.product_code and m.batch_no = h.batch_no
  and m.kind = 'return' and m.unmatched and m.recorded_at = h.created_at
join products p on p.org_id = h.org_id and p.product_code = h.product_code
join batches t on t.org_id = h.org_id and t.product_code = h.product_code and t.batch_no = h.batch_no
left join (select x.org_id, x.hold_id, array_agg(x.serial_no order by x.serial_no) as serials
  from hold_serials x group by x.org_id, x.hold_id) u on u.org_id = h.org_id and u.hold_id = h.hold_id
where h.source = 'unmatched_return' and h.released_at is null and h.quantity > 0
order by h.org_id, m.document_id, m.document_line, h.hold_id;
update holds h set nc_id = n.nc_id from nonconformities n
where n.org_id = h.org_id and n.nc_id = 'nc_' || substr(h.hold_id, 5);
