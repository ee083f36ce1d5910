-- Holds say that they come from an environment alert, certificates keep the history of their status, and readings leave the
-- table for the rest.

alter table holds drop constraint holds_source_check;
alter table holds add column alert_id text collate "C";
update holds h set source = 'environment', alert_id = a.alert_id
from environment_alert_holds a where a.org_id = h.org_id and a.hold_id = h.hold_id;
alter table holds add constraint holds_source_check check (source in ('manual', 'recall', 'return', 'unmatched_return', 'environment'));
alter table holds add constraint holds_alert_check check ((source = 'environment') = (alert_id is not null));
alter table holds add constraint holds_alert_fkey foreign key (org_id, alert_id) references environment_alerts (org_id, alert_id);

-- Append-only: each decision about a certificate, by the version of the certificate that it made.
create table certificate_status_changes (
  org_id text collate "C" not null,
  certificate_id text collate "C" not null,
  version integer not null,
  previous_state text not null check (previous_state in ('active', 'suspended', 'revoked', 'superseded')),
  current_state text not null check (current_state in ('active', 'suspended', 'revoked', 'superseded')),
  changed_at timestamptz not null,
  changed_by text not null,
  reason text,
  primary key (org_id, certificate_id, version),
  foreign key (org_id, certificate_id) references certificates (org_id, certificate_id),
  check (previous_state <> current_state)
);

-- The audit trail has both states of every decision made so far.
insert into certificate_status_changes (org_id, certificate_id, version, previous_state, current_state, changed_at, changed_by, reason)
select e.org_id, e.entity_id, (e.after ->> 'version')::integer, e.before ->> 'state', e.after ->> 'state', e.at, e.actor, e.reason
from audit_entries e join certificates c on c.org_id = e.org_id and c.certificate_id = e.entity_id
where e.entity_type = 'certificate'
  and e.action in ('certificate.suspend', 'certificate.reinstate', 'certificate.revoke', 'certificate.renew')
  and e.before ->> 'state' <> e.after ->> 'state' and e.after ->> 'version' is not null
on conflict do nothing;

-- Where it has not, the present state is all there is to go by: it was decided when the certificate was last changed.
insert into certificate_status_changes (org_id, certificate_id, version, previous_state, current_state, changed_at, changed_by, reason)
select c.org_id, c.certificate_id, c.version, 'active', c.state, c.updated_at, 'migration@lotward.invalid', c.state_reason
from certificates c
where c.state <> 'active' and not exists (select from certificate_status_changes s
  where s.org_id = c.org_id and s.certificate_id = c.certificate_id);

alter table certificate_status_changes enable row level security;
create policy tenant on certificate_status_changes to {{app}} using (org_id = nullif(current_setting('app.org', true), ''));
grant select, insert on certificate_status_changes to {{app}};
create policy read_named on certificate_status_changes for select to {{reader}} using (true);
grant select on certificate_status_changes to {{reader}};

-- Makes the month of the day, and the month of every reading that lies in the table for the rest, which is empty afterwards.
-- Readings are copied while everybody goes on reading and writing. The lock comes after that and lasts for the catalogue and
-- for what was written meanwhile: the full table is exchanged for an empty one, not emptied row by row.
create or replace function make_readings_month(first_day date) returns void language plpgsql security definer
set search_path = pg_catalog, pg_temp as $$
declare
  wanted date := date_trunc('month', first_day)::date;
  copied_from xid;
  months date[];
  month date;
  part text;
  low timestamptz;
  high timestamptz;
  is_full boolean;
begin
  perform pg_advisory_xact_lock(hashtext('lotward readings partitions'));
  -- Whatever was written by a transaction before this one is in the copies below.
  copied_from := pg_snapshot_xmin(pg_current_snapshot())::xid;
  select coalesce(array_agg(distinct date_trunc('month', r.at at time zone 'UTC')::date), '{}') into months
    from lotward.readings_rest r;
  is_full := cardinality(months) > 0;
  if to_regclass('lotward.readings_' || to_char(wanted, 'YYYY_MM')) is null and wanted <> all (months) then
    months := months || wanted;
  end if;
  if cardinality(months) = 0 then
    return;
  end if;
  foreach month in array months loop
    part := 'readings_' || to_char(month, 'YYYY_MM');
    low := month::timestamp at time zone 'UTC';
    high := (month + interval '1 month')::timestamp at time zone 'UTC';
    execute format('create table lotward.%I (like lotward.readings including all)', part);
    execute format('alter table lotward.%I enable row level security', part);
    -- With it, the month can be attached without being looked through.
    execute format('alter table lotward.%I add constraint of_the_month check (at >= %L and at < %L)', part, low, high);
    if is_full then
      execute format('insert into lotward.%I select * from lotward.readings_rest where at >= %L and at < %L', part, low, high);
    end if;
  end loop;
  if is_full then
    create table lotward.readings_rest_next (like lotward.readings including all);
    alter table lotward.readings_rest_next enable row level security;
    -- Whoever comes after us waits for us: rather than make them wait long for a slow reader, leave it to the next time.
    perform set_config('lock_timeout', '5s', true);
    lock table only lotward.readings in access exclusive mode;
    alter table lotward.readings detach partition lotward.readings_rest;
  else
    -- Writers are stopped before they choose a table, or one that waits for the rest would be refused. Readers go on.
    lock table only lotward.readings in share row exclusive mode;
    lock table lotward.readings_rest in access exclusive mode;
  end if;
  foreach month in array months loop
    part := 'readings_' || to_char(month, 'YYYY_MM');
    low := month::timestamp at time zone 'UTC';
    high := (month + interval '1 month')::timestamp at time zone 'UTC';
    if not is_full then
      -- Written since we looked, so these are few.
      execute format('with moved as (delete from lotward.readings_rest where at >= %L and at < %L returning *)
        insert into lotward.%I select * from moved', low, high, part);
    end if;
    execute format('alter table lotward.readings attach partition lotward.%I for values from (%L) to (%L)', part, low, high);
    execute format('alter table lotward.%I drop constraint of_the_month', part);
  end loop;
  if is_full then
    alter table lotward.readings attach partition lotward.readings_rest_next default;
    insert into lotward.readings select r.* from lotward.readings_rest r where age(r.xmin) <= age(copied_from)
      on conflict do nothing;
    drop table lotward.readings_rest;
    alter table lotward.readings_rest_next rename to readings_rest;
    alter index lotward.readings_rest_next_pkey rename to readings_rest_pkey;
  end if;
end
$$;
