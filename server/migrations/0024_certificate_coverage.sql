-- Certificates say which products they cover, and keep what they covered before.

-- Null covers every product. Otherwise a list of entries, of which one must cover the product.
alter table certificates add column coverage jsonb;
alter table certificates add constraint certificates_coverage_check check (case
  when coverage is null then true
  when jsonb_typeof(coverage) = 'array' then jsonb_array_length(coverage) > 0
    and not jsonb_path_exists(coverage, 'strict $[*] ? (@.type() != "object")')
  else false end);

-- Append-only: each change of what a certificate covers, by the version of the certificate that it made.
create table certificate_coverage_changes (
  org_id text collate "C" not null,
  certificate_id text collate "C" not null,
  version integer not null,
  previous_coverage jsonb,
  current_coverage jsonb,
  changed_at timestamptz not null,
  changed_by text not null,
  primary key (org_id, certificate_id, version),
  foreign key (org_id, certificate_id) references certificates (org_id, certificate_id),
  check (previous_coverage is distinct from current_coverage)
);

alter table certificate_coverage_changes enable row level security;
create policy tenant on certificate_coverage_changes to {{app}} using (org_id = nullif(current_setting('app.org', true), ''));
grant select, insert on certificate_coverage_changes to {{app}};
create policy read_named on certificate_coverage_changes for select to {{reader}} using (true);
grant select on certificate_coverage_changes to {{reader}};
