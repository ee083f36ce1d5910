/**
 * The statements that look at rows of all organizations, by store: for each the tables it reads so. They find out what
 * there is to do, or count it, as the worker or for the operator. Tables are named together where each row is joined to
 * those of its own organization only, with a plus where they are not joined. What is not here names its organization.
 */
export const statementsOfAll: Readonly<Record<string, readonly string[]>> = {
  'audit/audit.store.ts': ['audit_entries', 'audit_heads'],
  'credentials/usage/usage.store.ts': ['credential_usage organizations'],
  'environment/mqtt/intake-messages.store.ts': ['intake_messages'],
  'events/event.store.ts': ['events', 'events'],
  'mailing/mail.store.ts': ['mails', 'mails'],
  'mailing/sealed-mails.store.ts': ['mails'],
  'oauth/grant.store.ts': ['users'],
  'oauth/token.store.ts': ['oauth_revoked_tokens'],
  'organizations/organization.store.ts': ['organizations'],
  // The memberships of one person, here and below.
  'people/account.store.ts': ['account_memberships'],
  'people/membership.store.ts': ['account_memberships organizations users'],
  'people/sign-in/expired.store.ts': ['sessions + sessions users + user_tokens + user_tokens users'],
  'people/sign-in/refusals.store.ts': ['refused_sign_ins'],
  'platform/http/idempotency.ts': ['idempotency_keys', 'idempotency_keys'],
  'watch/daily-run.store.ts': ['daily_runs organizations'],
  'webhooks/delivery/lease.store.ts': ['event_heads webhook_states', 'webhook_states', 'webhook_states'],
  'webhooks/figures.store.ts': ['event_heads events webhook_deliveries webhook_states'],
  'webhooks/old-pushes.store.ts': ['event_heads webhooks'],
  'webhooks/owner.store.ts': ['webhook_states'],
  'webhooks/sealed-secrets.store.ts': ['webhooks'],
};
