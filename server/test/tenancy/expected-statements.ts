/**
 * The statements that look at rows of all organizations, by store: for each the tables it reads so. They find out what
 * there is to do, or count it, as the worker or for the operator. Tables are named together where each row is joined to
 * those of its own organization only, with a plus where they are not joined. What is not here names its organization.
 */
export const statementsOfAll: Readonly<Record<string, readonly string[]>> = {
  'audit/audit.store.ts': ['audit_entries', 'audit_heads'],
  'credentials/request-log/request-log.store.ts': [
    'credential_requests organizations',
    'credential_requests organizations',
    'credential_requests organizations',
  ],
  'credentials/usage/usage.store.ts': ['credential_usage organizations'],
  'environment/mqtt/intake-messages.store.ts': ['intake_messages'],
  'events/event.store.ts': ['events', 'events'],
  'imports/import.store.ts': ['imports organizations', 'imports organizations'],
  'indexing/entry.store.ts': ['organizations search_heads', 'search_marks'],
  'mailing/mail.store.ts': ['mails', 'mails'],
  'mailing/sealed-mails.store.ts': ['mails'],
  'oauth/grant.store.ts': ['users'],
  'oauth/token.store.ts': ['oauth_revoked_tokens'],
  'organizations/organization.store.ts': ['organizations', 'organizations'],
  // The memberships of one person, here and below.
  'people/account.store.ts': ['account_memberships'],
  'people/membership.store.ts': ['account_memberships'],
  'people/sign-in/expired.store.ts': ['sessions + sessions users + user_tokens + user_tokens users'],
  'people/sign-in/refusals.store.ts': ['refused_sign_ins'],
  'platform/http/idempotency.ts': ['idempotency_keys', 'idempotency_keys'],
  'stock/stock-change.store.ts': ['stock_change_marks'],
  'watch/daily-run.store.ts': ['daily_runs organizations'],
  'webhooks/delivery/lease.store.ts': ['event_heads webhook_states', 'webhook_states', 'webhook_states'],
  'webhooks/figures.store.ts': ['event_heads events webhook_deliveries webhook_states'],
  'webhooks/old-pushes.store.ts': ['event_heads webhooks'],
  'webhooks/owner.store.ts': ['webhook_states'],
  'webhooks/sealed-headers.store.ts': ['webhooks'],
  'webhooks/sealed-secrets.store.ts': ['webhooks'],
  'webhooks/stock-pushes/stock-cursor.store.ts': ['webhook_states webhook_stock_cursors'],
};

/**
 * The statements that work for several organizations at once, each of which is named: batches of hot reads and of writes of the
 * workers; or for one that a directory names. For each the tables whose organization is not a parameter.
 */
export const statementsOfSeveral: Readonly<Record<string, readonly string[]>> = {
  'catalogue/product.store.ts': ['device_identifiers products', 'device_identifiers products'],
  'credentials/credential.store.ts': ['api_keys', 'oauth_clients'],
  'credentials/key.store.ts': ['api_keys organizations'],
  'credentials/last-use.store.ts': ['api_keys oauth_clients'],
  'oauth/token.store.ts': ['oauth_clients oauth_revoked_tokens organizations users'],
  'organizations/organization.store.ts': ['organizations', 'organizations'],
  'people/membership.store.ts': ['organizations users'],
  'people/sign-in/session.store.ts': ['organizations sessions users', 'sessions'],
  'stock/inventory.store.ts': ['balances batches products', 'balances batches products warehouses'],
  'stock/stock-change.store.ts': ['stock_change_heads stock_change_marks'],
  'webhooks/delivery/lease.store.ts': [
    'api_keys event_heads oauth_clients organizations users webhook_attempts webhook_deliveries webhook_states webhook_subscriptions webhooks',
    'event_heads webhook_states',
    'event_heads webhook_states',
    'webhook_states',
    'webhook_states',
  ],
  'webhooks/delivery/results.store.ts': ['webhook_states'],
  'webhooks/owner.store.ts': ['api_keys oauth_clients users webhook_states webhooks'],
};

/**
 * The inserts that a database spread over nodes does not send to the node of one organization, by store: for each its table. They
 * add rows of several organizations at once.
 */
export const insertsOfSeveral: Readonly<Record<string, readonly string[]>> = {
  'credentials/request-log/request-log.store.ts': ['credential_requests'],
  'credentials/usage/usage.store.ts': ['credential_usage'],
  // Memberships are kept with the accounts, which are of no organization.
  'people/membership.store.ts': ['account_memberships'],
  // In both forms: also for one organization it is that of a row which the same statement has changed.
  'webhooks/delivery/results.store.ts': ['webhook_attempts', 'webhook_attempts'],
};
