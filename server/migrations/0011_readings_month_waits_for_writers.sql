-- A writer that has already chosen the table for the rest, and waits for it, is refused when the month it writes to gets a
-- table of its own meanwhile. So writers are stopped before they choose: at the table of all readings.
create or replace function make_readings_month(first_day date) returns void language plpgsql security definer
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
  -- Writers wait, readers do not. What is moved below must be everything.
  lock table only lotward.readings in share row exclusive mode;
  lock table lotward.readings_rest in access exclusive mode;
  execute format('create table lotward.%I (like lotward.readings including all)', part);
  execute format('alter table lotward.%I enable row level security', part);
  execute format('with moved as (delete from lotward.readings_rest where at >= %L and at < %L returning *)
    insert into lotward.%I select * from moved', low, high, part);
  execute format('alter table lotward.readings attach partition lotward.%I for values from (%L) to (%L)', part, low, high);
end
$$;
