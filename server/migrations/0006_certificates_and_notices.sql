-- The register of certificates, and what was announced: certificates about to expire, batches near expiry.

-- `refuse`: a step whose certificates are not in force does not happen; `warn`: it happens, and says so.
alter table organizations add column certificate_gate text not null default 'refuse' check (certificate_gate in ('refuse', 'warn'));
-- [{"subjectType", "type"}]: what every subject of that kind must have, also where nothing is on record.
alter table organizations add column demanded_certificates jsonb not null default '[]';
alter table users add column daily_digest boolean not null default false;

-- What stood against the last gated step of a document and was let through.
alter table receipts add column warnings jsonb not null default '[]';
alter table orders add column warnings jsonb not null default '[]';
alter table dispatches add column warnings jsonb not null default '[]';

-- Whether it is in force is a question of the day and computed; `state` is what somebody decided.
create table certificates (
  org_id text collate "C" not null references organizations,
  certificate_id text collate "C" not null,
  certificate_no text collate "C" not null,
  type text collate "C" not null,
  subject_type text not null check (subject_type in ('supplier', 'product', 'customer')),
  subject_code text collate "C" not null,
  product_code text collate "C" generated always as (case when subject_type = 'product' then subject_code end) stored,
  partner_code text collate "C" generated always as (case when subject_type <> 'product' then subject_code end) stored,
  issuer text not null,
  jurisdiction text,
  scope text,
  issued_on date,
  valid_from date not null,
  valid_to date,
  state text not null check (state in ('active', 'suspended', 'revoked', 'superseded')),
  state_reason text,
  -- Its renewal, and the day from which that one takes over: until then this one still counts.
  superseded_by text collate "C",
  superseded_from date,
  document_url text,
  document_hash text,
  version integer not null,
  created_at timestamptz not null,
  created_by text not null,
  updated_at timestamptz not null,
  -- With what conditions are about: a walk through the register needs the index alone.
  primary key (org_id, certificate_id) include (state, valid_from, valid_to, type, subject_type),
  foreign key (org_id, product_code) references products (org_id, product_code),
  foreign key (org_id, partner_code) references partners (org_id, code),
  foreign key (org_id, superseded_by) references certificates (org_id, certificate_id),
  check (valid_to is null or valid_to >= valid_from),
  check ((state = 'superseded') = (superseded_by is not null)),
  check (superseded_from is null or superseded_by is not null)
);
-- One number covers many subjects, and may stay the same when it is renewed.
create unique index certificates_current_key on certificates (org_id, subject_type, subject_code, type, certificate_no)
  where state in ('active', 'suspended');
create index certificates_subject on certificates (org_id, subject_type, subject_code, certificate_id);
create index certificates_subject_type on certificates (org_id, subject_type, certificate_id);
create index certificates_no on certificates (org_id, certificate_no, certificate_id);
create index certificates_type on certificates (org_id, type, certificate_id);
create index certificates_expiry on certificates (org_id, valid_to, certificate_id) include (valid_from, type, subject_type)
  where state = 'active';
create index certificates_beginning on certificates (org_id, valid_from, certificate_id) where state = 'active';
create index certificates_state on certificates (org_id, state, certificate_id) where state <> 'active';

-- Thresholds that are done with, for one date of expiry. `told` is false where nothing was said: passed over while
-- nobody could speak, or taken along when the date was corrected.
create table certificate_notices (
  org_id text collate "C" not null,
  certificate_id text collate "C" not null,
  valid_to date not null,
  threshold integer not null check (threshold in (30, 15, 7)),
  day date not null,
  told boolean not null,
  primary key (org_id, certificate_id, valid_to, threshold),
  foreign key (org_id, certificate_id) references certificates (org_id, certificate_id)
);

-- Batches that entered the near-expiry range, each told when it entered; `left_on` when the range was narrowed again.
create table near_expiry_notices (
  org_id text collate "C" not null,
  product_code text collate "C" not null,
  batch_no text collate "C" not null,
  entered_on date not null,
  left_on date,
  primary key (org_id, product_code, batch_no, entered_on),
  foreign key (org_id, product_code, batch_no) references batches (org_id, product_code, batch_no)
);
create unique index near_expiry_notices_inside on near_expiry_notices (org_id, product_code, batch_no) where left_on is null;
create index batches_expiry on batches (org_id, expiry_date) where expiry_date is not null;

-- The last day whose turn of the calendar was worked through, and when that was last done.
create table daily_runs (
  org_id text collate "C" primary key references organizations,
  day date,
  ran_at timestamptz,
  -- The last day an operator had worked through before it came.
  ahead_to date,
  check ((day is null) = (ran_at is null))
);

alter table certificates enable row level security;
alter table certificate_notices enable row level security;
alter table near_expiry_notices enable row level security;
alter table daily_runs enable row level security;

create policy tenant on certificates to {{app}} using (org_id = nullif(current_setting('app.org', true), ''));
create policy tenant on certificate_notices to {{app}} using (org_id = nullif(current_setting('app.org', true), ''));
create policy tenant on near_expiry_notices to {{app}} using (org_id = nullif(current_setting('app.org', true), ''));
create policy tenant on daily_runs to {{app}} using (org_id = nullif(current_setting('app.org', true), ''));

grant select, insert, update on certificates, daily_runs to {{app}};
grant select, insert on certificate_notices, near_expiry_notices to {{app}};
grant update (left_on) on near_expiry_notices to {{app}};

create policy read_named on certificates for select to {{reader}} using (true);
grant select on certificates to {{reader}};

create policy find_work on daily_runs for select to {{worker}} using (true);
grant select on daily_runs to {{worker}};
