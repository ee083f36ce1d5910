/** Refreshed with every business record: counts on the overview, the event feed and the audit log. */
const RECORDS = ['/v2/overview', '/v2/events', '/v2/audit'];
const STOCK = ['/v2/inventory', '/v2/stock', '/v2/udi'];

/**
 * The paths whose responses a successful write may change, by the prefix of its own path. A hold, a recall or an acceptance
 * moves stock, and stock decides what orders and dispatches can do: those are refreshed together. The first matching entry
 * applies.
 */
const CHANGED_BY: Readonly<Record<string, readonly string[]>> = {
  '/v2/products': ['/v2/products', ...STOCK, ...RECORDS],
  '/v2/partners': ['/v2/partners', '/v2/products', '/v2/orders', ...RECORDS],
  '/v2/warehouses': ['/v2/warehouses', '/v2/environment', ...STOCK, ...RECORDS],
  '/v2/stock': [...STOCK, '/v2/quality', '/v2/orders', '/v2/dispatches', '/v2/recalls', ...RECORDS],
  '/v2/receipts': ['/v2/receipts', '/v2/quality', ...STOCK, ...RECORDS],
  '/v2/quality': ['/v2/quality', ...STOCK, '/v2/orders', '/v2/dispatches', '/v2/recalls', ...RECORDS],
  '/v2/orders': ['/v2/orders', '/v2/dispatches', ...STOCK, ...RECORDS],
  '/v2/dispatches': ['/v2/dispatches', '/v2/orders', '/v2/recalls', ...STOCK, ...RECORDS],
  '/v2/recalls': ['/v2/recalls', '/v2/orders', '/v2/dispatches', ...STOCK, ...RECORDS],
  '/files/certificates': ['/v2/certificates', '/files/certificates', ...RECORDS],
  '/v2/certificates': ['/v2/certificates', '/v2/udi', ...RECORDS],
  '/v2/environment': ['/v2/environment', ...STOCK, ...RECORDS],
  '/v2/webhooks': ['/v2/webhooks', ...RECORDS],
  '/v2/settings': ['/v2/settings', ...RECORDS],
  '/v2/sandboxes': ['/v2/sandboxes', '/v2/audit'],
  // A sandbox is an organization of its own, to which nobody signs in.
  '/v2/sandbox': [],
  '/v2/imports': ['/v2/imports', '/v2/products', '/v2/partners', '/v2/certificates', ...STOCK, ...RECORDS],
  '/v2/sessions': ['/v2/sessions', '/v2/audit'],
  '/v2/session/credentials': ['/v2/session/credentials', '/v2/settings', '/v2/audit'],
  '/v2/session/connected-apps': ['/v2/session/connected-apps', '/v2/settings', '/v2/audit'],
  '/v2/session/password': ['/v2/sessions', '/v2/session/connected-apps', '/v2/audit'],
  // Signing in and out, and its steps: the new session replaces everything.
  '/v2/session': [],
  '/v2/invitations': [],
  '/v2/password-resets': [],
  '/v2/second-factor-resets': [],
};

/** A write that is not listed refreshes everything, which is slow but never stale. */
const EVERYTHING = ['/v2'];

/** A preview only reads, although it is a POST. */
const isPreview = (path: string, body: unknown): boolean =>
  path.endsWith('/test') || (body as { dryRun?: boolean } | undefined)?.dryRun === true;

export function changedPaths(path: string, body?: unknown): readonly string[] {
  if (isPreview(path, body)) return [];
  const area = Object.keys(CHANGED_BY).find((each) => path === each || path.startsWith(`${each}/`));
  return (area === undefined ? undefined : CHANGED_BY[area]) ?? EVERYTHING;
}
