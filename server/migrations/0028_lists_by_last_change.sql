-- Every list of things that change can be read by the last change: (updated_at, id) in an index of the organization.

-- What has no such instant yet gets the newest one that is known of it. Being used is no change of a credential, signing in none
-- of a person.
alter table api_keys add column updated_at timestamptz;
update api_keys set updated_at = greatest(created_at, owner_confirmed_at, disabled_at, revoked_at);
alter table api_keys alter column updated_at set not null;
grant update (updated_at) on api_keys to {{app}};

alter table oauth_clients add column updated_at timestamptz;
update oauth_clients set updated_at = greatest(created_at, owner_confirmed_at, disabled_at, revoked_at);
alter table oauth_clients alter column updated_at set not null;
grant update (updated_at) on oauth_clients to {{app}};

alter table users add column updated_at timestamptz;
update users set updated_at = created_at;
alter table users alter column updated_at set not null;

alter table holds add column updated_at timestamptz;
update holds set updated_at = greatest(created_at, released_at);
alter table holds alter column updated_at set not null;

alter table nonconformities add column updated_at timestamptz;
update nonconformities set updated_at = greatest(created_at, closed_at);
alter table nonconformities alter column updated_at set not null;

alter table dispositions add column updated_at timestamptz;
update dispositions set updated_at = greatest(proposed_at, approved_at, rejected_at, executed_at);
alter table dispositions alter column updated_at set not null;

alter table environment_alerts add column updated_at timestamptz;
update environment_alerts set updated_at = greatest(recorded_at, acknowledged_at);
alter table environment_alerts alter column updated_at set not null;

-- Every change of a recall has an event. Recalls from before there were events have the instant of their last change.
update recalls r set last_event_at = greatest(r.opened_at, r.closed_at, (select max(a.recorded_at) from recall_acknowledgements a
  where a.org_id = r.org_id and a.recall_id = r.recall_id)) where r.last_event_at is null;
alter table recalls alter column last_event_at set not null;

-- The holder of a lease may disable a webhook, which is a change of it.
create policy note_change on webhooks for update to {{worker}}
  using (org_id = nullif(current_setting('app.org', true), ''));
grant update (updated_at) on webhooks to {{worker}};

drop index products_updated;
drop index orders_updated;
drop index receipts_updated;
create index products_updated on products (org_id, updated_at, product_code);
create index orders_updated on orders (org_id, updated_at, order_id);
create index receipts_updated on receipts (org_id, updated_at, receipt_id);
create index partners_updated on partners (org_id, updated_at, code);
create index warehouses_updated on warehouses (org_id, updated_at, code);
create index dispatches_updated on dispatches (org_id, updated_at, dispatch_id);
create index recalls_updated on recalls (org_id, last_event_at, recall_id);
create index certificates_updated on certificates (org_id, updated_at, certificate_id);
create index holds_updated on holds (org_id, updated_at, hold_id);
create index nonconformities_updated on nonconformities (org_id, updated_at, nc_id);
create index dispositions_updated on dispositions (org_id, updated_at, disposition_id);
create index monitoring_points_updated on monitoring_points (org_id, updated_at, point_id);
create index environment_alerts_updated on environment_alerts (org_id, updated_at, alert_id);
create index webhooks_updated on webhooks (org_id, updated_at, webhook_id);
create index api_keys_updated on api_keys (org_id, updated_at, key_id);
create index oauth_clients_updated on oauth_clients (org_id, updated_at, client_id);
create index users_updated on users (org_id, updated_at, user_id);
