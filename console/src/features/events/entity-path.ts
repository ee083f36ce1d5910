const at = (page: string) => (id: string) => `${page}/${encodeURIComponent(id)}`;

/** Where something that an event or an entry of the audit log names is to be seen. */
const PAGES: Readonly<Record<string, (id: string) => string>> = {
  alert: at('/environment/alerts'),
  api_key: at('/settings/api/keys'),
  certificate: at('/certificates'),
  dispatch: at('/dispatches'),
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

/** Null: there is no page of it. */
export const entityPath = (type: string, id: string): string | null => PAGES[type]?.(id) ?? null;
