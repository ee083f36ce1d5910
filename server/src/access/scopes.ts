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
