-- A plan made for a table of a few pages reads the whole table, and is kept until the table is analyzed; so are the plans that check
-- foreign keys, which no statement of ours can change. The server looks for tables to analyze once a minute: until then, a table that
-- was analyzed while it was empty is read once for every row that refers to it. So a table is analyzed when it has grown tenfold.
-- Tables on other nodes have no size here, and are left to the server there.
create function analyze_grown_tables() returns setof text language plpgsql security definer
set search_path = pg_catalog, pg_temp as $$
declare
  grown text;
begin
  for grown in
    select c.relname from pg_class c
    where c.relnamespace = 'lotward'::regnamespace and c.relkind = 'r'
      and pg_relation_size(c.oid) >= 10 * greatest(c.relpages, 1) * current_setting('block_size')::bigint
  loop
    execute format('analyze (skip_locked) lotward.%I', grown);
    return next grown;
  end loop;
end
$$;
revoke execute on function analyze_grown_tables() from public;
grant execute on function analyze_grown_tables() to {{worker}};
