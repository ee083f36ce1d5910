const at = (page: string) => (id: string) => `${page}/${encodeURIComponent(id)}`;

/** The page of each type of record that a document, an event or an entry of the audit log refers to. */
const PAGES: Readonly<Record<string, (id: string) => string>> = {
  alert: at('/environment/alerts'),
  api_key: at('/settings/api/keys'),
  certificate: at('/certificates'),
  dispatch: at('/dispatches'),
  disposition: at('/quality/dispositions'),
  nonconformity: at('/quality/nonconformities'),
  oauth_client: at('/settings/api/clients'),
  order: at('/orders'),
  organization: () => '/settings/organization',
  partner: at('/partners'),
  point: at('/environment/points'),
  product: at('/products'),
  recall: at('/recalls'),
  receipt: at('/receipts'),
  user: () => '/settings/users',
  warehouse: () => '/warehouses',
  webhook: at('/webhooks'),
};

/** Null if the type has no page. */
export const recordPath = (type: string, id: string): string | null => PAGES[type]?.(id) ?? null;
