-- The scanned document of a certificate.

create table certificate_files (
  org_id text collate "C" not null,
  certificate_id text collate "C" not null,
  file_name text not null check (char_length(file_name) between 1 and 150),
  content_type text not null check (content_type in ('application/pdf', 'image/png', 'image/jpeg')),
  size integer not null check (size between 1 and 10485760),
  sha256 bytea not null check (octet_length(sha256) = 32),
  content bytea not null check (octet_length(content) = size),
  stored_at timestamptz not null,
  stored_by text not null,
  primary key (org_id, certificate_id),
  foreign key (org_id, certificate_id) references certificates (org_id, certificate_id)
);
-- Such files are compressed already, and parts of an uncompressed value can be read by themselves.
alter table certificate_files alter column content set storage external;

alter table certificate_files enable row level security;
create policy tenant on certificate_files to {{app}} using (org_id = nullif(current_setting('app.org', true), ''));
grant select, insert, update, delete on certificate_files to {{app}};

-- Everything but the content.
create policy read_named on certificate_files for select to {{reader}} using (true);
grant select (org_id, certificate_id, file_name, content_type, size, sha256, stored_at, stored_by) on certificate_files to {{reader}};
