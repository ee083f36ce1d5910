import { statement, type Tx } from '../platform/database/index.js';
import type { TradeParties } from './trade.rules.js';

// A share lock waits for a concurrent suspension without blocking other documents of the same partner. Products get the
// exclusive lock of stock changes right away: two documents that upgrade share locks later would deadlock.
const lock = statement(`
  with partner as (
    select code, name, status from partners where org_id = $1 and code = any($2) order by code for share),
  product as (
    select product_code, product_name, status from products
    where org_id = $1 and product_code = any($3) order by product_code for no key update)
  select 'partner' as kind, code, name, status from partner
  union all select 'product', product_code, product_name, status from product`);

const read = statement(`
  select 'partner' as kind, code, name, status from partners where org_id = $1 and code = any($2)
  union all select 'product', product_code, product_name, status from products where org_id = $1 and product_code = any($3)`);

/** Locks the partners, then the products of documents, and returns them as they are now. */
export const lockTradeParties = (
  tx: Tx,
  partnerCodes: readonly string[],
  productCodes: readonly string[],
): Promise<TradeParties> => partiesBy(lock, tx, partnerCodes, productCodes);

/** The same without locks, for a preview. */
export const readTradeParties = (
  tx: Tx,
  partnerCodes: readonly string[],
  productCodes: readonly string[],
): Promise<TradeParties> => partiesBy(read, tx, partnerCodes, productCodes);

async function partiesBy(
  by: typeof lock,
  tx: Tx,
  partnerCodes: readonly string[],
  productCodes: readonly string[],
): Promise<TradeParties> {
  const rows = await tx.query<{ kind: string; code: string; name: string; status: string }>(by, [
    tx.orgId,
    [...new Set(partnerCodes)],
    [...new Set(productCodes)],
  ]);
  const of = (kind: string) => rows.filter((row) => row.kind === kind);
  return {
    partners: new Map(of('partner').map(({ code, name, status }) => [code, { name, status }])),
    products: new Map(of('product').map(({ code, name, status }) => [code, { productName: name, status }])),
  };
}
