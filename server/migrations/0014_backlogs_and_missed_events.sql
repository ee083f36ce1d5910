-- Numbering and sealing change rows they name by key. "position is null" in these policies would offer the planner every
-- index that knows null positions, and each of those leads through the whole backlog. Positions begin at 1.
alter policy number on events
  using (org_id = nullif(current_setting('app.org', true), '') and coalesce(position, 0) = 0) with check (true);
alter policy seal on audit_entries
  using (org_id = nullif(current_setting('app.org', true), '') and coalesce(position, 0) = 0) with check (true);
-- Claiming a mail changes one row by its key, for the same reason.
alter policy settle on mails
  using (org_id = nullif(current_setting('app.org', true), '') and num_nonnulls(due_at) = 1)
  with check (org_id = nullif(current_setting('app.org', true), ''));

-- When the event happened: the oldest one a webhook missed is found without reading the feed. Null where the event itself
-- was already removed by age.
alter table webhook_deliveries add column occurred_at timestamptz;
update webhook_deliveries d set occurred_at = e.at from events e where e.org_id = d.org_id and e.position = d.position;
create index webhook_deliveries_missed on webhook_deliveries (org_id, webhook_id, occurred_at)
  where status in ('failed', 'skipped');

-- Names the running server and database: another one after a restart, a failover or a restore. A process that has survived
-- one of these must not write down what it remembers of a history that may be gone.
create function incarnation() returns text language sql stable set search_path = pg_catalog as
  $$ select extract(epoch from pg_postmaster_start_time())::text || ' ' || oid::text from pg_database where datname = current_database() $$;
