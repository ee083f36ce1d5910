import { dispatchRows } from '../dispatching/index.js';
import { orderLineRows, orderRows } from '../orders/index.js';
import { statement, type Tx } from '../platform/database/index.js';
import { movementRows } from '../stock/index.js';

export interface LastPrice {
  unitPrice: string;
  currency: string;
}

// The newest movement of each product by the index of shipments, then its order by three primary keys.
const lastPrices = statement(`
  select c.code as "productCode", l.unit_price::text as "unitPrice", o.currency
  from unnest($2::text[]) as c(code)
  cross join lateral (select m.document_id, m.document_line from ${movementRows('$1')} m
    where m.product_code = c.code and m.kind = 'dispatch' order by m.occurred_at desc limit 1) m
  join ${dispatchRows('$1')} d on d.dispatch_id = m.document_id
  join ${orderRows('$1')} o on o.order_id = d.order_id
  join ${orderLineRows('$1')} l on l.order_id = o.order_id and l.line_no = m.document_line`);

/** The price at which each of these products was shipped last. */
export async function readLastPrices(tx: Tx, codes: readonly string[]): Promise<Map<string, LastPrice>> {
  const rows = await tx.query<LastPrice & { productCode: string }>(lastPrices, [tx.orgId, codes]);
  return new Map(rows.map(({ productCode, ...price }) => [productCode, price]));
}
