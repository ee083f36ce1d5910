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
  'quality:read',
  'quality:write',
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

/** For people who choose scopes or consent to them. */
export const SCOPE_DESCRIPTIONS: Readonly<Record<Scope, string>> = {
  'products:read': 'Read products, partners and warehouses',
  'products:write': 'Create and change products, partners and warehouses',
  'inventory:read': 'Read stock, its movements and holds',
  'inventory:write': 'Adjust, hold and transfer stock; release logistics holds',
  'receipts:read': 'Read receipts',
  'receipts:write': 'Enter receipts and record their acceptance',
  'orders:read': 'Read orders',
  'orders:write': 'Enter, change, hold, reserve, close and cancel orders',
  'orders:approve': 'Approve and reject orders',
  'dispatches:read': 'Read dispatches',
  'dispatches:write': 'Pick, re-check and dispatch orders',
  'udi:read': 'Read UDI codes and trace devices',
  'recalls:read': 'Read recalls',
  'recalls:write': 'Open and close recalls, record acknowledgements and answers',
  'certificates:read': 'Read certificates',
  'certificates:write': 'Enter, renew, suspend and revoke certificates',
  'quality:read': 'Read the register of nonconforming goods and dispositions',
  'quality:write':
    'Make quality decisions: release holds, dispose of goods, correct batches, accept unmatched returns',
  'environment:read': 'Read monitoring points, their readings and alerts',
  'environment:write': 'Set up monitoring points, send readings and acknowledge alerts',
  'webhooks:read': 'Read webhooks and their deliveries',
  'webhooks:write': 'Create, change, test and delete webhooks; resend their events',
  'events:read': 'Read the feed of events',
  'settings:read': 'Read settings, people, keys and OAuth clients',
  'settings:write': 'Change settings, people, keys and OAuth clients',
  'audit:read': 'Read the audit trail',
};
