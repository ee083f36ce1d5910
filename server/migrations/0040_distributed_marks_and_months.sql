-- A distributed database takes the number of a mark on the coordinator, in the name of the role that writes it.
grant usage on sequence stock_change_marks_mark_id_seq, search_marks_mark_id_seq to {{app}};

-- Each node of a distributed database has its own transaction numbers. So the readings written while a month was copied cannot be told
-- from the others there, and would be dropped with the old table for the rest: all of it is looked through once more.
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
    -- Later statements queue behind this lock: rather than make them wait long for a slow reader, give up until the next time.
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
    if to_regclass('pg_catalog.pg_dist_partition') is null then
      insert into lotward.readings select r.* from lotward.readings_rest r where age(r.xmin) <= age(copied_from)
        on conflict do nothing;
    else
      insert into lotward.readings select r.* from lotward.readings_rest r on conflict do nothing;
    end if;
    drop table lotward.readings_rest;
    alter table lotward.readings_rest_next rename to readings_rest;
    alter index lotward.readings_rest_next_pkey rename to readings_rest_pkey;
  end if;
end
$$;
