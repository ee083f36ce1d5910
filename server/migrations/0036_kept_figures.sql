-- Figures of all stock of an organization, and the demand for a product, read without walking through stock and ledger.

-- A mark says by how much its change moves the figures of the batches that expire on `expiry_date` (infinity: never). `held`: what is
-- blocked before it expires. Without defaults: a writer that does not know the columns must not leave the figures wrong.
alter table stock_change_marks
  add column expiry_date date not null default 'infinity',
  add column total_delta integer not null default 0,
  add column reserved_delta integer not null default 0,
  add column held_delta integer not null default 0,
  add column batches_delta integer not null default 0,
  add column products_delta integer not null default 0;
alter table stock_change_marks
  alter column expiry_date drop default,
  alter column total_delta drop default,
  alter column reserved_delta drop default,
  alter column held_delta drop default,
  alter column batches_delta drop default,
  alter column products_delta drop default;

-- The sums of the marks that have become positions of the feed: with the marks that wait, the figures of the balances. `products` counts each
-- product on the date of the batch that came first; only its sum over all dates means something.
create table stock_tallies (
  org_id text collate "C" not null references organizations,
  expiry_date date not null,
  total bigint not null,
  reserved bigint not null,
  held bigint not null,
  batches bigint not null,
  products bigint not null,
  primary key (org_id, expiry_date)
);

insert into stock_tallies (org_id, expiry_date, total, reserved, held, batches, products)
  select b.org_id, coalesce(t.expiry_date, 'infinity'), sum(b.quantity), sum(b.reserved),
    sum(case when b.whole_holds > 0 then b.quantity else b.held end), count(distinct (b.product_code, b.batch_no)), 0
  from balances b join batches t on t.org_id = b.org_id and t.product_code = b.product_code and t.batch_no = b.batch_no
  where b.quantity > 0 group by 1, 2;
insert into stock_tallies (org_id, expiry_date, total, reserved, held, batches, products)
  select org_id, 'infinity', 0, 0, 0, 0, count(distinct product_code) from balances where quantity > 0 group by org_id
  on conflict (org_id, expiry_date) do update set products = excluded.products;

alter table stock_tallies enable row level security;
create policy tenant on stock_tallies to {{app}} using (org_id = nullif(current_setting('app.org', true), ''));
grant select on stock_tallies to {{app}};
create policy number on stock_tallies to {{worker}} using (org_id = nullif(current_setting('app.org', true), ''));
grant select, insert on stock_tallies to {{worker}};
grant update (total, reserved, held, batches, products) on stock_tallies to {{worker}};

create index low_stock_notices_day on low_stock_notices (org_id, day);

-- Batches in the order in which they expire.
drop index batches_expiry;
create index batches_expiry on batches (org_id, expiry_date, product_code, batch_no) where expiry_date is not null;
-- What was shipped of a product lately, and what open orders still want of it.
create index movements_shipped on movements (org_id, product_code, occurred_at) include (quantity) where kind = 'dispatch';
create index order_lines_open on order_lines (org_id, product_code, order_id) where dispatched_quantity + closed_quantity < quantity;
