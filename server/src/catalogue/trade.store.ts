import { type Statement, statement, type Tx } from '../platform/database/index.js';
import type { TradeParties } from './trade.rules.js';

/** SQL arrays of codes: parameters, or `array(select …)` of a document, whose codes the caller does not know yet. */
export interface PartyCodes {
  partnerCodes: string;
  productCodes: string;
}

// A share lock waits for a concurrent suspension without blocking other documents of the same partner. Products get the
// exclusive lock of stock changes right away: two documents that upgrade share locks later would deadlock.
const locking = ({ partnerCodes, productCodes }: PartyCodes) =>
  statement(`
  with partner as (
    select code, name, status from partners where org_id = $1 and code = any(${partnerCodes}) order by code for share),
  product as (
    select product_code, product_name, status from products
    where org_id = $1 and product_code = any(${productCodes}) order by product_code for no key update)
  select 'partner' as kind, code, name, status from partner
  union all select 'product', product_code, product_name, status from product`);
const lock = locking({ partnerCodes: '$2', productCodes: '$3' });

const read = statement(`
  select 'partner' as kind, code, name, status from partners where org_id = $1 and code = any($2)
  union all select 'product', product_code, product_name, status from products where org_id = $1 and product_code = any($3)`);

/** Locks the partners, then the products of documents, and returns them as they are now. */
export const lockTradeParties = (
  tx: Tx,
  partnerCodes: readonly string[],
  productCodes: readonly string[],
): Promise<TradeParties> => partiesBy(lock, tx, [distinct(partnerCodes), distinct(productCodes)]);

/** The same for codes that SQL selects, so that it is sent together with the lock of the document. `$1` is the organization. */
export function tradePartiesLocker(
  codes: PartyCodes,
): (tx: Tx, values: readonly unknown[]) => Promise<TradeParties> {
  const byDocument = locking(codes);
  return (tx, values) => partiesBy(byDocument, tx, values);
}

/** The same without locks, for a preview. */
export const readTradeParties = (
  tx: Tx,
  partnerCodes: readonly string[],
  productCodes: readonly string[],
): Promise<TradeParties> => partiesBy(read, tx, [distinct(partnerCodes), distinct(productCodes)]);

const distinct = (codes: readonly string[]): string[] => [...new Set(codes)];

async function partiesBy(by: Statement, tx: Tx, values: readonly unknown[]): Promise<TradeParties> {
  const rows = await tx.query<{ kind: string; code: string; name: string; status: string }>(by, [
    tx.orgId,
    ...values,
  ]);
  const of = (kind: string) => rows.filter((row) => row.kind === kind);
  return {
    partners: new Map(of('partner').map(({ code, name, status }) => [code, { name, status }])),
    products: new Map(of('product').map(({ code, name, status }) => [code, { productName: name, status }])),
  };
}
