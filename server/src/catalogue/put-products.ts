import { recordAudit } from '../audit/index.js';
import { hasSameContent, type Tx } from '../platform/database/index.js';
import { refuseAny } from '../platform/errors/index.js';
import { isId, newId } from '../platform/ids/index.js';
import { refuseCatalogue } from './catalogue.errors.js';
import { readNamedPartners } from './partner.store.js';
import type { Product, ProductInput } from './product.js';
import { describeProduct } from './product.rules.js';
import { lockProducts, saveProducts } from './product.store.js';
import { onProductsReplaced } from './product-hooks.js';
import { partnerIssues } from './references.rules.js';
import { hasStockOfProducts } from './stock-presence.js';

export interface ProductToPut {
  productCode: string;
  input: ProductInput;
}

/**
 * Creates or replaces products by code and leaves those with unchanged content alone. Used by the API for one product and by
 * the import for thousands. `locked`: the existing ones, if the caller has locked them.
 */
export async function putProducts(
  tx: Tx,
  puts: readonly ProductToPut[],
  locked?: ReadonlyMap<string, Product>,
): Promise<Product[]> {
  for (const put of puts)
    if (isId('prd', put.productCode)) throw refuseCatalogue('reserved_code', '/productCode');
  await requireSuppliers(tx, puts);
  const codes = puts.map((put) => put.productCode);
  const known = locked ?? (await lockProducts(tx, codes));
  const given = puts.map(({ productCode, input }) =>
    describeProduct(productCode, input, {
      id: known.get(productCode)?.id ?? newId('prd', tx.now),
      version: (known.get(productCode)?.version ?? 0) + 1,
      at: tx.now,
    }),
  );
  const unchanged = given.flatMap((product) => {
    const before = known.get(product.productCode);
    return before && hasSameContent(before, product) ? [before] : [];
  });
  if (unchanged.length === given.length) return unchanged;
  const kept = new Set(unchanged.map((product) => product.productCode));
  const products = given.filter((product) => !kept.has(product.productCode));
  await requireTrackingKept(tx, products, known);
  const written = await saveProducts(tx, products, known);
  const saved = products.filter((product) => written.has(product.productCode));
  await recordAudit(
    tx,
    ...saved.map((after) => ({
      action: 'product.put',
      entityType: 'product',
      entityId: after.productCode,
      before: known.get(after.productCode),
      after,
    })),
  );
  await onProductsReplaced(
    tx,
    saved.flatMap((after) => {
      const before = known.get(after.productCode);
      return before ? [{ before, after }] : [];
    }),
  );
  // Another transaction created these products after the check, so a second pass replaces them.
  const late = puts.filter((put) => !written.has(put.productCode) && !kept.has(put.productCode));
  return [...unchanged, ...saved, ...(late.length === 0 ? [] : await putProducts(tx, late))];
}

async function requireSuppliers(tx: Tx, puts: readonly ProductToPut[]): Promise<void> {
  const named = puts.flatMap(({ input }) => input.supplierCode ?? []);
  if (named.length === 0) return;
  const partners = await readNamedPartners(tx, named);
  refuseAny(
    [...new Set(named)].flatMap((code) =>
      partnerIssues('/supplierCode', code, 'supplier', partners.get(code)),
    ),
  );
}

async function requireTrackingKept(
  tx: Tx,
  products: readonly Product[],
  known: ReadonlyMap<string, Product>,
): Promise<void> {
  const changed = products.filter((product) => {
    const before = known.get(product.productCode);
    return before !== undefined && before.tracking !== product.tracking;
  });
  if (changed.length === 0) return;
  if (
    await hasStockOfProducts(
      tx,
      changed.map((product) => product.productCode),
    )
  )
    throw refuseCatalogue('tracking_in_use', '/tracking');
}
