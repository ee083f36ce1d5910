/** Every permission there is. A write scope does not include the read scope of its area. */
export const SCOPES = [
  'products:read',
  'products:write',
  'inventory:read',
  'inventory:write',
  'receipts:read',
  'receipts:write',
  'orders:read',
  'orders:write',
  'orders:approve',
  'dispatches:read',
  'dispatches:write',
  'udi:read',
  'recalls:read',
  'recalls:write',
  'certificates:read',
  'certificates:write',
  'environment:read',
  'environment:write',
  'webhooks:read',
  'webhooks:write',
  'events:read',
  'settings:read',
  'settings:write',
  'audit:read',
] as const;

export type Scope = (typeof SCOPES)[number];
const known: ReadonlySet<string> = new Set(SCOPES);
export const isScope = (text: string): text is Scope => known.has(text);

/** What each allows, for people who decide about it. */
export const SCOPE_WORDS: Readonly<Record<Scope, string>> = {
  'products:read': 'Read products, partners and warehouses',
  'products:write': 'Create and change products, partners and warehouses',
  'inventory:read': 'Read stock, its movements and holds',
  'inventory:write': 'Adjust, hold, release and transfer stock',
  'receipts:read': 'Read receipts',
  'receipts:write': 'Enter receipts and record their acceptance',
  'orders:read': 'Read orders',
  'orders:write': 'Enter, change and cancel orders',
  'orders:approve': 'Approve and reject orders',
  'dispatches:read': 'Read dispatches',
  'dispatches:write': 'Pick, re-check and dispatch orders',
  'udi:read': 'Read UDI codes and trace devices',
  'recalls:read': 'Read recalls',
  'recalls:write': 'Open, change and close recalls',
  'certificates:read': 'Read certificates',
  'certificates:write': 'Enter, renew, suspend and revoke certificates',
  'environment:read': 'Read monitoring points, their readings and alerts',
  'environment:write': 'Set up monitoring points, send readings and acknowledge alerts',
  'webhooks:read': 'Read webhooks and their deliveries',
  'webhooks:write': 'Set up webhooks, change and repeat their deliveries',
  'events:read': 'Read the feed of events',
  'settings:read': 'Read settings, people, keys and OAuth clients',
  'settings:write': 'Change settings, people, keys and OAuth clients',
  'audit:read': 'Read the audit trail',
};
