import { deviceIdentifierRows, partnerRows, productRows } from '../catalogue/index.js';
import { certificateRows, certificateStatusOn } from '../certificates/index.js';
import { dispatchNo, dispatchRows } from '../dispatching/index.js';
import { type Kind, pairKey, pairOf } from '../indexing/index.js';
import { orderRows } from '../orders/index.js';
import { joinEach, type Statement, statement, type Tx } from '../platform/database/index.js';
import { receiptRows } from '../receiving/index.js';
import { batchRows, serialRows } from '../stock/index.js';
import { webhookRows, webhookStateRows } from '../webhooks/index.js';
import type { SearchRecord, SearchSource } from './record.js';

/** `key` and `id`: the column of both; `id` matches only as a whole. */
interface Selected {
  key: string;
  at: string;
  id?: string;
  title: string;
  subtitle: string;
  status: string;
  words: readonly string[];
}

/** Records by a key of one column. */
function byKey(
  rows: string,
  alias: string,
  joins: string,
  columns: Selected,
): [read: Statement, next: Statement] {
  const { key, at, id = 'null', title, subtitle, status, words } = columns;
  return [
    statement(`
  select ${key} as key, ${key} as "itemId", ${id} as id, ${at} as at, ${title} as title, ${subtitle} as subtitle, ${status} as status,
    null as "productCode", array[${words.join(', ')}]::text[] as words
  from unnest($2::text[]) as k(key) ${joinEach(rows, alias, `${key} = k.key`)} ${joins}`),
    statement(`select ${key} as key from ${rows} ${alias} where ${key} > $2 order by ${key} limit $3`),
  ];
}

function sourceOf(kind: Kind, scope: string, [read, next]: readonly [Statement, Statement]): SearchSource {
  return {
    ...{ kind, scope },
    read: (tx, keys) => tx.query<SearchRecord>(read, [tx.orgId, keys]),
    keysAfter: async (tx, key, limit) =>
      (await tx.query<{ key: string }>(next, [tx.orgId, key, limit])).map((row) => row.key),
  };
}

const orders = byKey(orderRows('$1'), 'o', `join ${partnerRows('$1')} c on c.code = o.customer_code`, {
  ...{ key: 'o.order_id', id: 'o.order_id', at: 'o.created_at', title: 'o.order_no' },
  ...{ subtitle: 'coalesce(o.customer_name, c.name)', status: 'o.status', words: ['o.order_no'] },
});

const receipts = byKey(
  receiptRows('$1'),
  'r',
  `join ${partnerRows('$1')} c on c.code = coalesce(r.supplier_code, r.customer_code)`,
  {
    ...{ key: 'r.receipt_id', id: 'r.receipt_id', at: 'r.created_at', title: 'r.receipt_no' },
    ...{ subtitle: 'coalesce(r.partner_name, c.name)', status: 'r.status' },
    words: ['r.receipt_no', 'r.purchase_order_no'],
  },
);

const dispatches = byKey(
  dispatchRows('$1'),
  'd',
  `join ${orderRows('$1')} o on o.order_id = d.order_id join ${partnerRows('$1')} c on c.code = o.customer_code`,
  {
    ...{ key: 'd.dispatch_id', id: 'd.dispatch_id', at: 'd.created_at', title: dispatchNo('d', 'o') },
    ...{ subtitle: 'coalesce(d.customer_name, c.name)', status: 'd.status' },
    words: [dispatchNo('d', 'o'), 'd.tracking_no'],
  },
);

const partners = byKey(partnerRows('$1'), 'p', '', {
  ...{ key: 'p.code', at: 'p.created_at', title: 'p.name', subtitle: 'p.code', status: 'p.status' },
  words: ['p.code', 'p.name', 'p.gln', 'p.registration_code'],
});

const [readProducts, nextProducts] = byKey(productRows('$1'), 'p', '', {
  ...{ key: 'p.product_code', id: 'p.product_id', at: 'p.created_at', title: 'p.product_name' },
  ...{ subtitle: 'p.product_code', status: 'p.status' },
  words: ['p.product_code', 'p.product_name', 'p.specification', 'p.model', 'p.registration_no'],
});
const identifiersOf = statement(
  `select d.product_code as code, d.udi_di as "udiDi" from ${deviceIdentifierRows('$1')} d where d.product_code = any($2)`,
);

/** The device identifiers of a product, including those of its packages, also find it. */
async function withIdentifiers(tx: Tx, keys: readonly string[]): Promise<SearchRecord[]> {
  const [records, identifiers] = await Promise.all([
    tx.query<SearchRecord>(readProducts, [tx.orgId, keys]),
    tx.query<{ code: string; udiDi: string }>(identifiersOf, [tx.orgId, keys]),
  ]);
  const named = new Map<string, string[]>(keys.map((key) => [key, []]));
  for (const { code, udiDi } of identifiers) named.get(code)?.push(udiDi);
  return records.map((record) => ({ ...record, words: [...record.words, ...(named.get(record.key) ?? [])] }));
}

const [readCertificates, nextCertificates] = byKey(
  certificateRows('$1'),
  'c',
  `left join ${productRows('$1')} p on p.product_code = c.product_code left join ${partnerRows('$1')} s on s.code = c.partner_code`,
  {
    ...{ key: 'c.certificate_id', id: 'c.certificate_id', at: 'c.created_at', title: 'c.certificate_no' },
    subtitle: 'coalesce(p.product_name, s.name)',
    status: `json_build_object('state', c.state, 'validFrom', c.valid_from, 'validTo', c.valid_to)`,
    words: ['c.certificate_no'],
  },
);

type Dated = Parameters<typeof certificateStatusOn>[0];

const webhooks = byKey(
  webhookRows('$1'),
  'w',
  `join ${webhookStateRows('$1')} s on s.webhook_id = w.webhook_id where w.deleted_at is null`,
  {
    ...{ key: 'w.webhook_id', id: 'w.webhook_id', at: 'w.created_at', status: 's.status' },
    ...{ title: 'coalesce(w.description, w.callback_url)', subtitle: 'w.callback_url' },
    words: ['w.description', 'w.callback_url'],
  },
);

/** Records identified by a product code and a number. */
function byPair(kind: Kind, rows: string, number: string, at: string, joins: string): SearchSource {
  const read = statement(`
  select t.product_code as "productCode", t.${number} as "itemId", ${at} as at, t.${number} as title, p.product_name as subtitle,
    null as status, null as id, array[t.${number}] as words
  from unnest($2::text[], $3::text[]) as k(product_code, no)
  ${joinEach(rows, 't', `t.product_code = k.product_code and t.${number} = k.no and t.${number} <> ''`)}
  join ${productRows('$1')} p on p.product_code = t.product_code ${joins}`);
  const next = statement(`
  select t.product_code as code, t.${number} as no from ${rows} t where (t.product_code, t.${number}) > ($2, $3)
  order by t.product_code, t.${number} limit $4`);
  return {
    ...{ kind, scope: 'inventory:read' },
    async read(tx, keys) {
      const pairs = keys.map(pairOf);
      const rows = await tx.query<SearchRecord & { productCode: string }>(read, [
        ...[tx.orgId, pairs.map(([code]) => code), pairs.map(([, no]) => no)],
      ]);
      return rows.map((row) => ({ ...row, key: pairKey(row.productCode, row.itemId) }));
    },
    async keysAfter(tx, key, limit) {
      const rows = await tx.query<{ code: string; no: string }>(next, [tx.orgId, ...pairOf(key), limit]);
      return rows.map(({ code, no }) => pairKey(code, no));
    },
  };
}

/** All searchable kinds of records. */
export const searchSources: readonly SearchSource[] = [
  sourceOf('order', 'orders:read', orders),
  sourceOf('receipt', 'receipts:read', receipts),
  sourceOf('dispatch', 'dispatches:read', dispatches),
  { ...sourceOf('product', 'products:read', [readProducts, nextProducts]), read: withIdentifiers },
  byPair('batch', batchRows('$1'), 'batch_no', 't.created_at', ''),
  byPair(
    'serial',
    serialRows('$1'),
    'serial_no',
    'b.created_at',
    `join ${batchRows('$1')} b on b.product_code = t.product_code and b.batch_no = t.batch_no`,
  ),
  sourceOf('partner', 'products:read', partners),
  {
    ...sourceOf('certificate', 'certificates:read', [readCertificates, nextCertificates]),
    async read(tx, keys) {
      const rows = await tx.query<SearchRecord & { status: Dated }>(readCertificates, [tx.orgId, keys]);
      return rows.map((row) => ({ ...row, status: certificateStatusOn(row.status, tx.today) }));
    },
  },
  sourceOf('webhook', 'webhooks:read', webhooks),
];
