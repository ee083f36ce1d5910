-- The position of an audit entry is the sealer's to give. One that another role had inserted with a position kept the whole
-- organization from being sealed. Such entries were never sealed (the head moves with what is sealed): they are now.
update audit_entries e set position = null, hash = null
where position is not null
  and (position < 1 or position > coalesce((select h.position from audit_heads h where h.org_id = e.org_id), 0));
revoke insert on audit_entries from {{app}};
grant insert (org_id, entry_id, at, actor, credential_id, request_id, action, entity_type, entity_id, reason, before, after)
  on audit_entries to {{app}};

-- Refused sign-ins of a quarter of an hour, until the worker writes them into the audit as one entry. One row for each
-- account, however many try from however many addresses.
create table refused_sign_ins (
  org_id text collate "C" not null,
  user_id text collate "C" not null,
  window_start timestamptz not null,
  passwords integer not null,
  codes integer not null,
  confirmations integer not null,
  addresses text[] not null check (cardinality(addresses) <= 10),
  first_at timestamptz not null,
  last_at timestamptz not null,
  primary key (org_id, user_id, window_start),
  foreign key (org_id, user_id) references users
);
create index refused_sign_ins_window on refused_sign_ins (org_id, window_start);
alter table refused_sign_ins enable row level security;
create policy tenant on refused_sign_ins to {{app}} using (org_id = nullif(current_setting('app.org', true), ''));
create policy find_work on refused_sign_ins for select to {{worker}} using (true);
create policy remove on refused_sign_ins for delete to {{worker}}
  using (org_id = nullif(current_setting('app.org', true), ''));
grant select, insert on refused_sign_ins to {{app}};
grant update (passwords, codes, confirmations, addresses, last_at) on refused_sign_ins to {{app}};
grant select, delete on refused_sign_ins to {{worker}};

-- The same for accounts that do not exist, which no organization owns: the worker logs them. A hash of the address chooses
-- the shard, so that there are few rows, and strangers do not wait for each other.
create table unknown_sign_ins (
  shard smallint not null check (shard between 0 and 63),
  window_start timestamptz not null,
  refused integer not null,
  addresses text[] not null check (cardinality(addresses) <= 10),
  primary key (shard, window_start)
);
grant select, insert on unknown_sign_ins to {{app}};
grant update (refused, addresses) on unknown_sign_ins to {{app}};
grant select, delete on unknown_sign_ins to {{worker}};
