import type { RoleKind } from '../../src/platform/database/roles.js';

/**
 * Everything each role may do, table by table; a privilege on columns only is written `update(a b)`. What is not
 * here is not granted. The app works under the tenant policies; the reader only reads; the worker finds due work
 * everywhere and changes what its tasks need.
 */
export const expectedGrants: Readonly<Record<RoleKind, Readonly<Record<string, string>>>> = {
  app: {
    api_key_directory: 'insert select',
    api_keys: 'insert select update(previous_secret_hash previous_valid_until revoked_at secret_hash)',
    audit_entries: 'insert select',
    audit_heads: 'select',
    balances: 'insert select update',
    batches: 'insert select',
    device_identifiers: 'delete insert select',
    dispatch_lines: 'insert select',
    dispatch_picks: 'delete insert select',
    dispatches: 'insert select update',
    event_heads: 'select',
    events:
      'insert(at body customer_code entity_id entity_type entity_version event_id event_type org_id) select',
    hold_serials: 'delete insert select',
    holds: 'insert select update',
    idempotency_keys: 'insert select update',
    instance_state: 'insert select update',
    low_stock_notices: 'insert select',
    mails: 'insert(body created_at dedupe_key due_at mail_id org_id recipients subject) select',
    movement_serials: 'insert select',
    movements: 'insert select',
    order_lines: 'delete insert select update',
    order_status_changes: 'insert select',
    orders: 'insert select update',
    organization_directory: 'insert select',
    organizations: 'insert select update',
    partners: 'insert select update',
    products: 'insert select update',
    receipt_lines: 'delete insert select update',
    receipts: 'insert select update',
    reservations: 'delete insert select update',
    serials: 'insert select update',
    user_directory: 'insert select',
    users: 'insert select update',
    warehouse_zones: 'delete insert select update',
    warehouses: 'insert select update',
    webhook_attempts: 'select',
    webhook_deliveries: 'insert select update',
    webhook_states: 'delete insert select update',
    webhook_subscriptions: 'insert select update',
    webhooks: 'insert select update',
  },
  reader: {
    api_key_directory: 'select',
    api_keys: 'select',
    balances: 'select',
    batches: 'select',
    device_identifiers: 'select',
    organization_directory: 'select',
    organizations: 'select',
    partners: 'select',
    products: 'select',
    user_directory: 'select',
    warehouses: 'select',
  },
  worker: {
    api_key_directory: 'select',
    api_keys: 'select update(last_used_at)',
    audit_entries:
      'insert(action actor after at before credential_id entity_id entity_type entry_id org_id reason request_id) select update(hash position)',
    audit_heads: 'insert select update',
    event_heads: 'insert select update',
    events: 'delete select update(position)',
    idempotency_keys: 'delete select',
    mails:
      'delete insert(body created_at dedupe_key due_at mail_id org_id recipients subject) select update(attempts delivered_to due_at failed_at last_error sent_at)',
    organization_directory: 'select',
    organizations: 'select',
    user_directory: 'select',
    users: 'select',
    webhook_attempts: 'delete insert select',
    webhook_deliveries: 'delete insert select update',
    webhook_states:
      'select update(consecutive_failures delivered_total disabled_at disabled_reason duration_ms_total failed_total failing_since lease_owner lease_token leased_until next_due_at settled_to status version)',
    webhook_subscriptions: 'delete select',
    webhooks: 'delete select',
    workers: 'delete insert select update',
  },
};

/** Tables that belong to no organization, and the directories that find the organization of a caller. */
export const tablesWithoutTenant: readonly string[] = [
  'api_key_directory',
  'instance_state',
  'organization_directory',
  'schema_migrations',
  'service_roles',
  'user_directory',
  'workers',
];
