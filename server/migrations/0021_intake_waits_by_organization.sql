-- Messages of the MQTT broker that are stored and acknowledged, and not yet recorded as readings. They wait by organization,
-- so that those of one do not keep the others waiting, as they would in the single queue of the broker.
create table intake_messages (
  org_id text collate "C" not null references organizations,
  message_id bigint generated always as identity,
  topic text not null,
  payload bytea not null check (octet_length(payload) <= 1048576),
  received_at timestamptz not null,
  primary key (org_id, message_id)
);
alter table intake_messages enable row level security;
create policy find_work on intake_messages for select to {{worker}} using (true);
create policy take on intake_messages for insert to {{worker}}
  with check (org_id = nullif(current_setting('app.org', true), ''));
create policy remove on intake_messages for delete to {{worker}}
  using (org_id = nullif(current_setting('app.org', true), ''));
grant select, insert, delete on intake_messages to {{worker}};
