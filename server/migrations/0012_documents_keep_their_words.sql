-- Documents keep the words they were written with: what their products and partners were called then. Partners and
-- warehouses get locations.

-- The audit trail is read first: it may take long, and nobody waits for it yet.

-- What each product and partner was called, from when to when. A catalogue that is sent again every night says the same a
-- thousand times: only what changed is kept.
create temporary table named_then on commit drop as
with said as (
  select org_id, entity_type, entity_id, at, entry_id, before is not null as known_before,
    jsonb_build_array(before->'productName', before->'name', before->'specification', before->'model', before->'manufacturer',
      before->'registrationNo', before->'unit') as words_before,
    jsonb_build_array(after->'productName', after->'name', after->'specification', after->'model', after->'manufacturer',
      after->'registrationNo', after->'unit') as words
  from audit_entries where action in ('product.put', 'partner.put') and after is not null),
stated as (
  select org_id, entity_type, entity_id, at, entry_id, words from said
  union all
  select distinct on (org_id, entity_type, entity_id) org_id, entity_type, entity_id, '-infinity'::timestamptz, entry_id, words_before
  from (select distinct on (org_id, entity_type, entity_id) * from said order by org_id, entity_type, entity_id, at, entry_id) first
  where known_before),
changed as (
  select *, lag(words) over same is distinct from words as is_new from stated
  window same as (partition by org_id, entity_type, entity_id order by at, entry_id))
select org_id, entity_type, entity_id,
  -- A document can be dated before the entry that created its product: the first words known are the nearest.
  case when lag(at) over same is null then '-infinity' else at end as valid_from,
  lead(at, 1, 'infinity') over same as valid_to,
  coalesce(words->>0, words->>1) as name, words->>2 as specification, words->>3 as model, words->>4 as manufacturer,
  words->>5 as registration_no, words->>6 as unit
from changed where is_new
window same as (partition by org_id, entity_type, entity_id order by at, entry_id);
create index on named_then (org_id, entity_type, entity_id);
analyze named_then;

-- Content of an order is of its last change, which status changes do not move.
create temporary table written_then on commit drop as
select o.org_id, o.order_id, coalesce(u.at, o.created_at) as at from orders o
left join (select org_id, entity_id, max(at) as at from audit_entries where action = 'order.update' group by org_id, entity_id) u
  on u.org_id = o.org_id and u.entity_id = o.order_id;
create index on written_then (org_id, order_id);
analyze written_then;

alter table partners add column gln text check (gln ~ '^[0-9]{13}$');
alter table partners add column registration_code text check (registration_code ~ '^[0-9A-Z]{18}$');
alter table partners add column addresses jsonb not null default '[]' check (jsonb_typeof(addresses) = 'array');
alter table warehouses add column gln text check (gln ~ '^[0-9]{13}$');
alter table warehouses add column address text;
alter table warehouses add column kind text not null default 'own' check (kind in ('own', 'consignment'));
alter table warehouses add column customer_code text collate "C";
alter table warehouses add constraint warehouses_consignment_customer check ((kind = 'consignment') = (customer_code is not null));
alter table warehouses add constraint warehouses_customer_fkey foreign key (org_id, customer_code) references partners (org_id, code);

-- Null until a document takes its words: in open dispatches, and in what a process of the version before writes while an
-- installation is upgraded machine by machine. Such a document shows what things are called today.
-- `words_from`: `document`, taken by the document itself; `audit`, filled by this migration from the audit trail as of the
-- document's instant; `current`, filled with what things were called when it ran, because the trail did not say.
alter table orders add column customer_name text;
alter table orders add column words_from text not null default 'document' check (words_from in ('document', 'audit', 'current'));
alter table order_lines add column product_name text, add column specification text, add column model text,
  add column manufacturer text, add column registration_no text, add column unit text;
alter table order_lines add column words_from text not null default 'document' check (words_from in ('document', 'audit', 'current'));
alter table receipts add column partner_name text;
alter table receipts add column words_from text not null default 'document' check (words_from in ('document', 'audit', 'current'));
alter table receipt_lines add column product_name text, add column specification text, add column model text,
  add column manufacturer text, add column registration_no text, add column unit text;
alter table receipt_lines add column words_from text not null default 'document' check (words_from in ('document', 'audit', 'current'));
alter table dispatches add column customer_name text;
alter table dispatches add column words_from text not null default 'document' check (words_from in ('document', 'audit', 'current'));
alter table dispatch_lines add column product_name text, add column specification text, add column model text,
  add column manufacturer text, add column registration_no text, add column unit text;
alter table dispatch_lines add column words_from text not null default 'document' check (words_from in ('document', 'audit', 'current'));

update orders o set customer_name = coalesce(n.name, c.name), words_from = case when n.name is null then 'current' else 'audit' end
from partners c, written_then w left join orders x on x.org_id = w.org_id and x.order_id = w.order_id
left join named_then n on n.org_id = w.org_id and n.entity_type = 'partner' and n.entity_id = x.customer_code
  and n.valid_from <= w.at and w.at < n.valid_to
where w.org_id = o.org_id and w.order_id = o.order_id and c.org_id = o.org_id and c.code = o.customer_code;

update order_lines l set product_name = coalesce(n.name, p.product_name),
  specification = case when n.name is null then p.specification else n.specification end,
  model = case when n.name is null then p.model else n.model end,
  manufacturer = case when n.name is null then p.manufacturer else n.manufacturer end,
  registration_no = case when n.name is null then p.registration_no else n.registration_no end,
  unit = case when n.name is null then p.unit else n.unit end,
  words_from = case when n.name is null then 'current' else 'audit' end
from products p, written_then w join order_lines x on x.org_id = w.org_id and x.order_id = w.order_id
left join named_then n on n.org_id = x.org_id and n.entity_type = 'product' and n.entity_id = x.product_code
  and n.valid_from <= w.at and w.at < n.valid_to
where x.org_id = l.org_id and x.order_id = l.order_id and x.line_no = l.line_no
  and p.org_id = l.org_id and p.product_code = l.product_code;

update receipts r set partner_name = coalesce(n.name, c.name), words_from = case when n.name is null then 'current' else 'audit' end
from partners c, receipts x
left join named_then n on n.org_id = x.org_id and n.entity_type = 'partner' and n.entity_id = coalesce(x.supplier_code, x.customer_code)
  and n.valid_from <= coalesce(x.accepted_at, x.updated_at) and coalesce(x.accepted_at, x.updated_at) < n.valid_to
where x.org_id = r.org_id and x.receipt_id = r.receipt_id
  and c.org_id = r.org_id and c.code = coalesce(r.supplier_code, r.customer_code);

update receipt_lines l set product_name = coalesce(n.name, p.product_name),
  specification = case when n.name is null then p.specification else n.specification end,
  model = case when n.name is null then p.model else n.model end,
  manufacturer = case when n.name is null then p.manufacturer else n.manufacturer end,
  registration_no = case when n.name is null then p.registration_no else n.registration_no end,
  unit = case when n.name is null then p.unit else n.unit end,
  words_from = case when n.name is null then 'current' else 'audit' end
from products p, receipts r join receipt_lines x on x.org_id = r.org_id and x.receipt_id = r.receipt_id
left join named_then n on n.org_id = x.org_id and n.entity_type = 'product' and n.entity_id = x.product_code
  and n.valid_from <= coalesce(r.accepted_at, r.updated_at) and coalesce(r.accepted_at, r.updated_at) < n.valid_to
where x.org_id = l.org_id and x.receipt_id = l.receipt_id and x.line_no = l.line_no
  and p.org_id = l.org_id and p.product_code = l.product_code;

-- A dispatch takes its words when it leaves or is cancelled; an open one has none of its own.
update dispatches d set customer_name = coalesce(n.name, c.name), words_from = case when n.name is null then 'current' else 'audit' end
from orders o, partners c, dispatches x join orders y on y.org_id = x.org_id and y.order_id = x.order_id
left join named_then n on n.org_id = x.org_id and n.entity_type = 'partner' and n.entity_id = y.customer_code
  and n.valid_from <= coalesce(x.dispatched_at, x.updated_at) and coalesce(x.dispatched_at, x.updated_at) < n.valid_to
where x.org_id = d.org_id and x.dispatch_id = d.dispatch_id and d.status not in ('picking', 'rechecking')
  and o.org_id = d.org_id and o.order_id = d.order_id and c.org_id = o.org_id and c.code = o.customer_code;

update dispatch_lines l set product_name = coalesce(n.name, p.product_name),
  specification = case when n.name is null then p.specification else n.specification end,
  model = case when n.name is null then p.model else n.model end,
  manufacturer = case when n.name is null then p.manufacturer else n.manufacturer end,
  registration_no = case when n.name is null then p.registration_no else n.registration_no end,
  unit = case when n.name is null then p.unit else n.unit end,
  words_from = case when n.name is null then 'current' else 'audit' end
from products p, dispatches d join dispatch_lines x on x.org_id = d.org_id and x.dispatch_id = d.dispatch_id
join order_lines ol on ol.org_id = x.org_id and ol.order_id = x.order_id and ol.line_no = x.line_no
left join named_then n on n.org_id = x.org_id and n.entity_type = 'product' and n.entity_id = ol.product_code
  and n.valid_from <= coalesce(d.dispatched_at, d.updated_at) and coalesce(d.dispatched_at, d.updated_at) < n.valid_to
where x.org_id = l.org_id and x.dispatch_id = l.dispatch_id and x.line_no = l.line_no
  and d.status not in ('picking', 'rechecking') and p.org_id = ol.org_id and p.product_code = ol.product_code;

grant update (product_name, specification, model, manufacturer, registration_no, unit) on dispatch_lines to {{app}};
