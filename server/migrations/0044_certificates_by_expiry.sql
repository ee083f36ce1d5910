-- The register by expiry, as people read it: certificates without an end after all with one, and those that nobody renews any more at the
-- end. A number of days, because a date as text depends on settings and cannot be indexed.
create index certificates_by_expiry on certificates
  (org_id, (coalesce(valid_to, date '9999-12-31') - date '2000-01-01' + case when state in ('revoked', 'superseded') then 10000000 else 0 end),
   certificate_id);
