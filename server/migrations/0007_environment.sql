-- Monitoring points, what their sensors said, and alerts.

create table monitoring_points (
  org_id text collate "C" not null references organizations,
  point_id text collate "C" not null,
  name text not null,
  warehouse text collate "C" not null,
  zone text collate "C",
  temperature_min double precision,
  temperature_max double precision,
  humidity_min double precision,
  humidity_max double precision,
  alarm_delay_seconds integer not null check (alarm_delay_seconds >= 0),
  silent_after_seconds integer not null check (silent_after_seconds > 0),
  status text not null check (status in ('active', 'retired')),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (org_id, point_id),
  foreign key (org_id, warehouse) references warehouses (org_id, code),
  foreign key (org_id, warehouse, zone) references warehouse_zones (org_id, warehouse, code),
  check (temperature_min <= temperature_max),
  check (humidity_min <= humidity_max)
);

-- Where a point stands: rewritten with every batch of readings, so room is left on the page for the next version.
-- `…_out_since` is the first reading outside the limits with none inside after it; `…_out_lowest` and `…_out_highest`
-- are the extremes since then, which an alert that opens after a delay begins with.
create table point_states (
  org_id text collate "C" not null,
  point_id text collate "C" not null,
  newest_at timestamptz,
  temperature double precision,
  temperature_at timestamptz,
  humidity double precision,
  humidity_at timestamptz,
  temperature_out_since timestamptz,
  temperature_out_lowest double precision,
  temperature_out_highest double precision,
  humidity_out_since timestamptz,
  humidity_out_lowest double precision,
  humidity_out_highest double precision,
  -- Of the events about this point: each is later than the one before.
  event_version bigint not null default 0,
  last_event_at timestamptz,
  primary key (org_id, point_id),
  foreign key (org_id, point_id) references monitoring_points (org_id, point_id)
) with (fillfactor = 50);

-- By month, so that what is too old goes at once. The default partition takes what belongs to no month at hand.
create table readings (
  org_id text collate "C" not null,
  point_id text collate "C" not null,
  at timestamptz not null,
  temperature double precision,
  humidity double precision,
  primary key (org_id, point_id, at),
  check (temperature is not null or humidity is not null)
) partition by range (at);
create table readings_rest partition of readings default;
alter table readings_rest enable row level security;

-- The limits are those of the moment it opened.
create table environment_alerts (
  org_id text collate "C" not null,
  alert_id text collate "C" not null,
  point_id text collate "C" not null,
  point_name text not null,
  warehouse text collate "C" not null,
  zone text collate "C",
  metric text not null check (metric in ('temperature', 'humidity')),
  lower_limit double precision,
  upper_limit double precision,
  -- The first reading outside; with a delay before alarm, `opened_at` is a later one.
  started_at timestamptz not null,
  opened_at timestamptz not null,
  lowest double precision not null,
  highest double precision not null,
  last_value double precision not null,
  last_observed_at timestamptz not null,
  repeats integer not null default 0,
  last_told_at timestamptz not null,
  closed_at timestamptz,
  acknowledged_at timestamptz,
  acknowledged_by text,
  acknowledgement text,
  recorded_at timestamptz not null,
  primary key (org_id, alert_id),
  foreign key (org_id, point_id) references monitoring_points (org_id, point_id),
  foreign key (org_id, warehouse) references warehouses (org_id, code),
  check ((acknowledged_at is null) = (acknowledged_by is null))
);
create unique index environment_alerts_open_key on environment_alerts (org_id, point_id, metric) where closed_at is null;
create index environment_alerts_point on environment_alerts (org_id, point_id, alert_id);

-- Batches put on hold because of an alert.
create table environment_alert_holds (
  org_id text collate "C" not null,
  alert_id text collate "C" not null,
  product_code text collate "C" not null,
  batch_no text collate "C" not null,
  hold_id text collate "C" not null,
  primary key (org_id, alert_id, product_code, batch_no),
  foreign key (org_id, alert_id) references environment_alerts (org_id, alert_id),
  foreign key (org_id, hold_id) references holds (org_id, hold_id)
);

-- Who of several processes does what only one may do. A hint to take turns: nothing is right only because of it.
create table leases (
  name text primary key,
  holder text not null,
  held_until timestamptz not null
);

-- What came in from outside other than by a request, counted by all workers together.
create table intake_counts (
  source text not null,
  outcome text not null,
  count bigint not null,
  primary key (source, outcome)
);

alter table monitoring_points enable row level security;
alter table point_states enable row level security;
alter table readings enable row level security;
alter table environment_alerts enable row level security;
alter table environment_alert_holds enable row level security;

create policy tenant on monitoring_points to {{app}} using (org_id = nullif(current_setting('app.org', true), ''));
create policy tenant on point_states to {{app}} using (org_id = nullif(current_setting('app.org', true), ''));
create policy tenant on readings to {{app}} using (org_id = nullif(current_setting('app.org', true), ''));
create policy tenant on environment_alerts to {{app}} using (org_id = nullif(current_setting('app.org', true), ''));
create policy tenant on environment_alert_holds to {{app}} using (org_id = nullif(current_setting('app.org', true), ''));

grant select, insert, update on monitoring_points, point_states, environment_alerts to {{app}};
grant select, insert on readings, environment_alert_holds to {{app}};
grant select, insert, update, delete on leases to {{worker}};
grant select, insert, update on intake_counts to {{worker}};

-- A month of readings. Attached rather than created in place: that would stop every reader and writer of the table.
create function make_readings_month(first_day date) returns void language plpgsql security definer
set search_path = pg_catalog, pg_temp as $$
declare
  part text := 'readings_' || to_char(first_day, 'YYYY_MM');
  low timestamptz := date_trunc('month', first_day)::timestamp at time zone 'UTC';
  high timestamptz := (date_trunc('month', first_day) + interval '1 month')::timestamp at time zone 'UTC';
begin
  perform pg_advisory_xact_lock(hashtext('lotward readings partitions'));
  if to_regclass('lotward.' || part) is not null then
    return;
  end if;
  -- What is moved below must be everything: nobody may add to it meanwhile.
  lock table lotward.readings_rest in access exclusive mode;
  execute format('create table lotward.%I (like lotward.readings including all)', part);
  execute format('alter table lotward.%I enable row level security', part);
  execute format('with moved as (delete from lotward.readings_rest where at >= %L and at < %L returning *)
    insert into lotward.%I select * from moved', low, high, part);
  execute format('alter table lotward.readings attach partition lotward.%I for values from (%L) to (%L)', part, low, high);
end
$$;

-- Whole months that ended before the day; of the rest, what is older. A month that is still being read stops everybody
-- who comes after us: rather than wait long, leave it to the next time.
create function drop_old_readings(before date) returns integer language plpgsql security definer
set search_path = pg_catalog, pg_temp set lock_timeout = '2s' as $$
declare
  part text;
  dropped integer := 0;
begin
  perform pg_advisory_xact_lock(hashtext('lotward readings partitions'));
  for part in
    select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'lotward.readings'::regclass and c.relname ~ '^readings_\d{4}_\d{2}$'
      and to_date(substr(c.relname, 10), 'YYYY_MM') + interval '1 month' <= before
  loop
    execute format('alter table lotward.readings detach partition lotward.%I', part);
    execute format('drop table lotward.%I', part);
    dropped := dropped + 1;
  end loop;
  delete from lotward.readings_rest where at < before::timestamp at time zone 'UTC';
  return dropped;
end
$$;
revoke execute on function make_readings_month(date) from public;
revoke execute on function drop_old_readings(date) from public;
grant execute on function make_readings_month(date) to {{worker}};
grant execute on function drop_old_readings(date) to {{worker}};
