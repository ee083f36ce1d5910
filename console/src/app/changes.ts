/** Shown beside every business record: counts on the overview, the ledger of events and of the audit log. */
const RECORDS = ['/v2/overview', '/v2/events', '/v2/audit'];
const STOCK = ['/v2/inventory', '/v2/stock', '/v2/udi'];

/**
 * The paths whose responses a successful write may change, by the prefix of its own path. A hold, a recall or an
 * acceptance moves stock, and stock decides what orders and dispatches can do: those are refreshed together.
 */
const CHANGED_BY: Readonly<Record<string, readonly string[]>> = {
  '/v2/products': ['/v2/products', ...STOCK, ...RECORDS],
  '/v2/partners': ['/v2/partners', '/v2/products', '/v2/orders', ...RECORDS],
  '/v2/warehouses': ['/v2/warehouses', '/v2/environment', ...STOCK, ...RECORDS],
  '/v2/stock': [...STOCK, '/v2/orders', '/v2/dispatches', '/v2/recalls', ...RECORDS],
  '/v2/receipts': ['/v2/receipts', ...STOCK, ...RECORDS],
  '/v2/orders': ['/v2/orders', '/v2/dispatches', ...STOCK, ...RECORDS],
  '/v2/dispatches': ['/v2/dispatches', '/v2/orders', '/v2/recalls', ...STOCK, ...RECORDS],
  '/v2/recalls': ['/v2/recalls', '/v2/orders', '/v2/dispatches', ...STOCK, ...RECORDS],
  '/v2/certificates': ['/v2/certificates', '/v2/udi', ...RECORDS],
  '/v2/environment': ['/v2/environment', ...STOCK, ...RECORDS],
  '/v2/webhooks': ['/v2/webhooks', ...RECORDS],
  '/v2/settings': ['/v2/settings', ...RECORDS],
  '/v2/sessions': ['/v2/sessions', '/v2/audit'],
  '/v2/session/password': ['/v2/sessions', '/v2/audit'],
};

/** Reading, although it is a POST: nothing changes. */
const isPreview = (path: string, body: unknown): boolean =>
  path.endsWith('/test') || (body as { dryRun?: boolean } | undefined)?.dryRun === true;

/** Signing in and out are not in the table: the session they begin or end replaces everything. */
export function changedPaths(path: string, body?: unknown): readonly string[] {
  if (isPreview(path, body)) return [];
  const area = Object.keys(CHANGED_BY).find((each) => path === each || path.startsWith(`${each}/`));
  return area === undefined ? [] : (CHANGED_BY[area] ?? []);
}
