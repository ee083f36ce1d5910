/* The requests of the console's lists, as console/src/app/api.ts sends them: a page of 50, and a count of its own. */
import { batchNumber, orderNumber, webhookId } from './records.mjs';

const page = (path, query = {}) => `${path}?${new URLSearchParams({ ...query, limit: '50' })}`;
const counted = (path, query = {}) =>
  `${path}?${new URLSearchParams({ ...query, limit: '1', count: 'true' })}`;

const DELIVERIES = `/v2/webhooks/${webhookId}/deliveries`;
/** Lists with a total. */
const COUNTED = [
  '/v2/orders',
  '/v2/receipts',
  '/v2/dispatches',
  '/v2/products',
  '/v2/partners',
  '/v2/stock/holds',
  '/v2/certificates',
  '/v2/recalls',
  '/v2/environment/alerts',
  '/v2/environment/points',
  '/v2/quality/nonconformities',
  '/v2/quality/dispositions',
  '/v2/audit',
  '/v2/warehouses',
  '/v2/webhooks',
];

export const firstPages = () => [
  ...COUNTED.map((path) => page(path)),
  page('/v2/orders', { sort: 'orderNo' }),
  page('/v2/orders', { sort: '-orderNo' }),
  page('/v2/orders', { sort: 'createdAt' }),
  page('/v2/orders', { sort: '-updatedAt' }),
  page('/v2/orders', { status: 'pending_approval' }),
  page('/v2/orders', { customerCode: 'C-00007' }),
  page('/v2/receipts', { sort: 'receiptNo' }),
  page('/v2/receipts', { status: 'pending_acceptance' }),
  page('/v2/dispatches', { sort: 'createdAt' }),
  page('/v2/dispatches', { status: 'picking' }),
  page('/v2/products', { sort: 'productName' }),
  page('/v2/partners', { sort: '-name' }),
  page('/v2/stock/holds', { status: 'active' }),
  page('/v2/environment/alerts', { status: 'open' }),
  page('/v2/environment/alerts', { acknowledged: 'false' }),
  page('/v2/quality/nonconformities', { status: 'open' }),
  page('/v2/inventory', { warehouse: 'WH-1' }),
  page('/v2/stock/expiring'),
  page('/v2/stock/expiring', { minDays: '0', maxDays: '90' }),
  page('/v2/stock/expiring', { warehouse: 'WH-2' }),
  page('/v2/stock/movements'),
  page('/v2/stock/movements', { warehouse: 'WH-1' }),
  page('/v2/stock/movements', { documentId: 'rcp_000000007' }),
  page('/v2/stock/movements', { batchNo: batchNumber(7) }),
  page('/v2/events', { order: 'desc' }),
  page('/v2/events', { order: 'desc', eventType: 'recall.opened' }),
  page(DELIVERIES),
  ...['pending', 'retrying', 'delivered', 'failed', 'skipped'].map((status) => page(DELIVERIES, { status })),
  `/v2/webhooks/${webhookId}/health`,
  page(DELIVERIES, { eventType: 'recall.opened' }),
  page('/v2/requests'),
];

export const countedPages = () => [
  ...COUNTED.map((path) => counted(path)),
  counted('/v2/orders', { status: 'pending_approval' }),
  counted('/v2/orders', { customerCode: 'C-00007' }),
  counted('/v2/stock/holds', { status: 'active' }),
  counted('/v2/environment/alerts', { acknowledged: 'false' }),
];

/** A whole number, a part of few, and a part of all: the plan for one does not suit the others. */
export function foundPages({ orders }) {
  const batch = batchNumber(77);
  const texts = {
    '/v2/orders': [orderNumber(7), '000777', '2026', 'district 77', 'hospital'],
    '/v2/receipts': ['RC-0000007', 'PO-00', 'district 77', 'hospital'],
    '/v2/dispatches': [orderNumber(7), 'TR0000', 'hospital'],
    '/v2/products': ['P-000777', 'catheter', 'P-0'],
    '/v2/partners': ['district 77', 'hospital'],
    '/v2/stock/holds': [batch, 'B-000', 'catheter'],
    '/v2/certificates': ['REG-00000777', 'REG-0', 'catheter'],
    '/v2/audit': [orderNumber(orders - 7), '2026'],
    '/v2/quality/nonconformities': [batch, 'B-000', 'catheter', 'district 77'],
    '/v2/quality/dispositions': [batch, 'B-000', 'catheter'],
    '/v2/environment/alerts': ['PT-7', 'cold room'],
  };
  const uncounted = {
    '/v2/stock/movements': [batch, 'RC-0000007', orderNumber(7), 'B-000', 'catheter', '2026', 'QX-99'],
    '/v2/events': [orderNumber(7), '000777', '2026', 'district 77', 'hospital', batch, 'B-000', 'QX-99'],
    [DELIVERIES]: [orderNumber(7), '000777', '2026', 'district 77', 'hospital', batch, 'B-000', 'QX-99'],
  };
  const each = (lists, request) =>
    Object.entries(lists).flatMap(([path, words]) => words.flatMap((q) => request(path, { q })));
  return [
    ...each(texts, (path, query) => [page(path, query), counted(path, query)]),
    ...each(uncounted, (path, query) => [
      page(path, path === '/v2/events' ? { ...query, order: 'desc' } : query),
    ]),
  ];
}

export const searches = ({ orders }) =>
  [
    orderNumber(orders),
    '000777',
    '2026',
    'so-',
    batchNumber(777),
    'B-0000',
    '77',
    'catheter',
    'hospital',
    'QX-99',
  ].map((q) => `/v2/search?${new URLSearchParams({ q })}`);
