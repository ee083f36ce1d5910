-- Mail that waits to be sent, and what became of it.

-- Written in the transaction of what it tells of. `due_at` is when it is tried next, null once it is settled; a
-- worker that takes a mail moves it ahead, so that what a dead worker took comes up again by itself.
create table mails (
  org_id text collate "C" not null references organizations,
  mail_id text collate "C" not null,
  dedupe_key text collate "C" not null,
  recipients text[] not null check (cardinality(recipients) > 0),
  subject text not null check (subject !~ '[\r\n]'),
  body text not null,
  created_at timestamptz not null,
  due_at timestamptz,
  attempts integer not null default 0,
  -- Of the recipients, those a server already took it for: they do not get it again.
  delivered_to text[] not null default '{}',
  sent_at timestamptz,
  failed_at timestamptz,
  last_error text,
  primary key (org_id, mail_id),
  constraint mails_dedupe_key unique (org_id, dedupe_key),
  check (num_nonnulls(due_at, sent_at, failed_at) = 1),
  check (failed_at is null or last_error is not null)
);
create index mails_due on mails (org_id, due_at) where due_at is not null;
create index mails_settled on mails (org_id, (coalesce(sent_at, failed_at))) where due_at is null;

alter table mails enable row level security;
create policy tenant on mails to {{app}} using (org_id = nullif(current_setting('app.org', true), ''));
grant select on mails to {{app}};
-- A mail begins unsent: what becomes of it is the worker's to say.
grant insert (org_id, mail_id, dedupe_key, recipients, subject, body, created_at, due_at) on mails to {{app}}, {{worker}};

create policy find_work on mails for select to {{worker}} using (true);
create policy queue on mails for insert to {{worker}}
  with check (org_id = nullif(current_setting('app.org', true), ''));
create policy settle on mails for update to {{worker}}
  using (org_id = nullif(current_setting('app.org', true), '') and due_at is not null)
  with check (org_id = nullif(current_setting('app.org', true), ''));
create policy remove on mails for delete to {{worker}}
  using (org_id = nullif(current_setting('app.org', true), '') and due_at is null);
grant select, delete on mails to {{worker}};
grant update (due_at, attempts, delivered_to, sent_at, failed_at, last_error) on mails to {{worker}};
