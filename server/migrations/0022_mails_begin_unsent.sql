-- A distributed database names every column with a default in the insert that it sends to a node, so the grant covers them.
-- That a mail begins unsent is a policy instead: what becomes of it is the worker's to say.
grant insert (attempts, delivered_to) on mails to {{app}}, {{worker}};
create policy begin_unsent on mails as restrictive for insert to {{app}}, {{worker}}
  with check (org_id = nullif(current_setting('app.org', true), '') and attempts = 0 and delivered_to = '{}');
