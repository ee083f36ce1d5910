-- Returns limited to what the customer holds, corrections of batch dates, cancelled receipts, and the day the books begin.

-- Nothing is recorded as having happened earlier.
alter table organizations add column books_from date;
update organizations set books_from = ((created_at at time zone time_zone)::date - interval '1 year')::date;
alter table organizations alter column books_from set not null;

-- Rows from before are left as they are; every new one, and every one that is corrected, is held to it.
alter table batches add constraint batches_made_before_expiry check (manufacture_date <= expiry_date) not valid;
grant update (manufacture_date, expiry_date) on batches to {{app}};

alter table receipts add column purchase_order_no text;
alter table receipts add column arrived_at timestamptz;
alter table receipts add column transport_temperature double precision;
alter table receipts add column sampled boolean;
-- Set: what the customer does not hold is taken in too, for this reason, with this person's word.
alter table receipts add column unmatched_reason text;
alter table receipts add column unmatched_by text;
alter table receipts add column cancelled_at timestamptz;
alter table receipts add column cancelled_by text;
alter table receipts add column cancel_reason text;
alter table receipts drop constraint receipts_status_check;
alter table receipts drop constraint receipts_check1;
alter table receipts add constraint receipts_status_check
  check (status in ('pending_acceptance', 'accepted', 'partially_accepted', 'rejected', 'cancelled'));
alter table receipts add constraint receipts_accepted_check
  check ((status in ('accepted', 'partially_accepted', 'rejected')) = (accepted_at is not null));
alter table receipts add constraint receipts_cancelled_check check ((status = 'cancelled') = (cancelled_at is not null));
alter table receipts add constraint receipts_unmatched_check
  check (unmatched_reason is null or (kind = 'return' and unmatched_by is not null));

alter table receipt_lines add column dispatch_id text collate "C";
alter table receipt_lines add column udi_di text collate "C";
alter table receipt_lines add column packages integer check (packages > 0);
-- The line left the date out: until acceptance it is whatever the batch says, from then on what it said that day.
alter table receipt_lines add column expiry_from_batch boolean not null default false;
alter table receipt_lines add column manufacture_from_batch boolean not null default false;
alter table receipt_lines add constraint receipt_lines_dispatch_fkey
  foreign key (org_id, dispatch_id) references dispatches (org_id, dispatch_id);

-- `unmatched`: came back from a customer who held none according to the ledger, so it lessens nothing the customer holds.
-- `dispatch_id`: of a return, the dispatch it was said to belong to.
alter table movements add column unmatched boolean not null default false;
alter table movements add column dispatch_id text collate "C";
create index movements_returned_of on movements (org_id, dispatch_id) where dispatch_id is not null;
drop index movements_customer;
create index movements_customer on movements (org_id, product_code, batch_no, counterparty_code)
  include (position, quantity, quantity_delta, unmatched) where counterparty_type = 'customer';
create index movements_corrections on movements (org_id, product_code, batch_no, position) where kind = 'correction';

alter table holds drop constraint holds_source_check;
alter table holds add constraint holds_source_check check (source in ('manual', 'recall', 'return', 'unmatched_return'));

-- What a batch said before and after; the ledger has a row for each, which moves nothing.
create table batch_corrections (
  org_id text collate "C" not null,
  correction_id text collate "C" not null,
  product_code text collate "C" not null,
  batch_no text collate "C" not null,
  expiry_date_before date,
  expiry_date_after date,
  manufacture_date_before date,
  manufacture_date_after date,
  reason text not null,
  corrected_at timestamptz not null,
  corrected_by text not null,
  primary key (org_id, correction_id),
  foreign key (org_id, product_code, batch_no) references batches (org_id, product_code, batch_no)
);
create index batch_corrections_batch on batch_corrections (org_id, product_code, batch_no, corrected_at);

alter table batch_corrections enable row level security;
create policy tenant on batch_corrections to {{app}} using (org_id = nullif(current_setting('app.org', true), ''));
grant select, insert on batch_corrections to {{app}};
