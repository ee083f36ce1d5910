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
    audit_entries: 'select update(hash position)',
    audit_heads: 'insert select update',
    event_heads: 'insert select update',
    events: 'delete select update(position)',
    idempotency_keys: 'delete select',
    organization_directory: 'select',
    organizations: 'select',
    user_directory: 'select',
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
];
