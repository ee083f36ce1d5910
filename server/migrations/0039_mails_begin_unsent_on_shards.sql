-- A distributed database copies a restrictive policy to its shards as a permissive one, which would widen what may be inserted there.
-- The policies that permit the insert say themselves that a mail begins unsent.
drop policy begin_unsent on mails;
drop policy tenant on mails;
create policy tenant on mails for select to {{app}} using (org_id = nullif(current_setting('app.org', true), ''));
create policy reseal on mails for update to {{app}} using (org_id = nullif(current_setting('app.org', true), ''));
create policy tenant_queue on mails for insert to {{app}}
  with check (org_id = nullif(current_setting('app.org', true), '') and attempts = 0 and delivered_to = '{}');
alter policy queue on mails
  with check (org_id = nullif(current_setting('app.org', true), '') and attempts = 0 and delivered_to = '{}');
