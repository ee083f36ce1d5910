/** The address of every page, in the notation of the router. A page that is not in this list does not compile. */
export const PAGE_PATHS = [
  '/',
  '/account',
  '/certificates',
  '/certificates/calendar',
  '/certificates/$certificateId',
  '/developers',
  '/developers/events',
  '/developers/playground',
  '/dispatches',
  '/dispatches/$dispatchId',
  '/dispatches/$dispatchId/note',
  '/dispatches/$dispatchId/record',
  '/dispatches/$dispatchId/pick-list',
  '/environment/alerts',
  '/environment/alerts/$alertId',
  '/environment/points',
  '/environment/points/$pointId',
  '/events',
  '/holds',
  '/inventory',
  '/inventory/batch',
  '/expiring-stock',
  '/movements',
  '/orders',
  '/orders/new',
  '/orders/$orderId',
  '/partners',
  '/partners/import',
  '/partners/$partnerCode',
  '/print-labels',
  '/products',
  '/products/import',
  '/products/$productCode',
  '/recalls',
  '/recalls/new',
  '/recalls/$recallId',
  '/quality/dispositions',
  '/quality/dispositions/$dispositionId',
  '/quality/dispositions/$dispositionId/record',
  '/quality/nonconformities',
  '/quality/nonconformities/print',
  '/quality/nonconformities/$ncId',
  '/recalls/$recallId/notices/$customerCode',
  '/receipts',
  '/receipts/new',
  '/receipts/$receiptId',
  '/receipts/$receiptId/record',
  '/settings/api',
  '/settings/api/clients/$clientId',
  '/settings/api/keys/$keyId',
  '/settings/audit',
  '/settings/organization',
  '/settings/users',
  '/trace',
  '/warehouses',
  '/webhooks',
  '/webhooks/$webhookId',
] as const;
export type PagePath = (typeof PAGE_PATHS)[number];

/** Pages without a parameter in their path, to which menus, counts and breadcrumbs can lead. */
export type PlainPath = Exclude<PagePath, `${string}$${string}`>;

/** The names of the parameters of all paths: `orderId` of `/orders/$orderId`. */
export type ParamName = NamesIn<PagePath>;
type NamesIn<P extends string> = P extends `${string}$${infer Name}/${infer Rest}`
  ? Name | NamesIn<`/${Rest}`>
  : P extends `${string}$${infer Name}`
    ? Name
    : never;

/** Filters and other parameters of the query string. */
export type Search = Readonly<Record<string, string | undefined>>;
