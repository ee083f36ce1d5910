import { canonicalCode } from '@lotward/udi';
import { unknownDevice } from '../catalogue/index.js';
import type { Tx } from '../platform/database/index.js';
import type { Issue } from '../platform/errors/index.js';
import { invalid, QUANTITY_MAX } from '../platform/http/index.js';
import { type IdentifiedProduct, readIdentifiedProducts } from '../scanning/index.js';
import { refuseReceipt } from './receipt.errors.js';
import type { GivenLine } from './scanned-line.rules.js';

/** Products by the package identifiers that lines give. */
export type PackagedProducts = ReadonlyMap<string, IdentifiedProduct>;

export async function readPackagedProducts(tx: Tx, lines: readonly GivenLine[]): Promise<PackagedProducts> {
  const named = lines.flatMap(({ udiDi }) => (udiDi == null ? [] : canonicalCode(udiDi)));
  return named.length === 0 ? new Map() : readIdentifiedProducts(tx, named);
}

export const unknownPackages = (lines: readonly GivenLine[], products: PackagedProducts): Issue[] =>
  lines.flatMap(({ udiDi }, i) =>
    udiDi == null || products.has(canonicalCode(udiDi)) ? [] : [unknownDevice(`/lines/${i}/udiDi`, udiDi)],
  );

/** Product and quantity of a line given by package identifier; null of any other. */
export function countPackages(
  { udiDi, packages, productCode, quantity }: GivenLine,
  products: PackagedProducts,
  path: string,
): { productCode: string; quantity: number } | null {
  if (udiDi == null) {
    if (packages != null) throw invalid('required', `${path}/udiDi`, 'packages of what? give udiDi');
    return null;
  }
  const found = products.get(canonicalCode(udiDi));
  if (!found) return null;
  if (packages == null) throw invalid('required', `${path}/packages`, 'how many of these packages?');
  if (productCode !== undefined && canonicalCode(productCode) !== found.productCode)
    throw refuseReceipt(
      'package_mismatch',
      `${path}/productCode`,
      `udiDi ${udiDi} belongs to product ${found.productCode}`,
    );
  const counted = packages * found.packageUnits;
  if (counted > QUANTITY_MAX) throw invalid('out_of_range', path, `more than ${QUANTITY_MAX}`);
  if (quantity !== undefined && quantity !== counted) {
    const message = `${packages} packages of ${found.packageUnits} are ${counted}`;
    throw refuseReceipt('package_mismatch', `${path}/quantity`, message);
  }
  return { productCode: found.productCode, quantity: counted };
}
