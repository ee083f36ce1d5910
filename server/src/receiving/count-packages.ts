import type { Tx } from '../platform/database/index.js';
import { refuseReference } from '../platform/errors/index.js';
import { canonicalCode } from '../platform/gtin/index.js';
import { invalid, QUANTITY_MAX } from '../platform/http/index.js';
import { type IdentifiedProduct, readIdentifiedProducts } from '../scanning/index.js';
import { refuseReceipt } from './receipt.errors.js';
import type { GivenLine } from './scanned-line.rules.js';

/** Product and quantity of each line given by package identifier; null of the others. */
export async function countPackages(
  tx: Tx,
  lines: readonly GivenLine[],
): Promise<({ productCode: string; quantity: number } | null)[]> {
  const named = lines.flatMap(({ udiDi }) => (udiDi == null ? [] : canonicalCode(udiDi)));
  const products = named.length === 0 ? new Map() : await readIdentifiedProducts(tx, named);
  return lines.map((line, i) => countLine(line, products, `/lines/${i}`));
}

function countLine(
  { udiDi, packages, productCode, quantity }: GivenLine,
  products: ReadonlyMap<string, IdentifiedProduct>,
  path: string,
) {
  if (udiDi == null) {
    if (packages != null) throw invalid('required', `${path}/udiDi`, 'packages of what? give udiDi');
    return null;
  }
  const found = products.get(canonicalCode(udiDi));
  if (!found) throw refuseReference(`${path}/udiDi`, `a product with package identifier ${udiDi}`);
  if (packages == null) throw invalid('required', `${path}/packages`, 'how many of these packages?');
  if (productCode !== undefined && canonicalCode(productCode) !== found.productCode)
    throw refuseReceipt('package_mismatch', `${path}/productCode`, `${udiDi} is of ${found.productCode}`);
  const counted = packages * found.packageUnits;
  if (counted > QUANTITY_MAX) throw invalid('out_of_range', path, `more than ${QUANTITY_MAX}`);
  if (quantity !== undefined && quantity !== counted) {
    const message = `${packages} packages of ${found.packageUnits} are ${counted}`;
    throw refuseReceipt('package_mismatch', `${path}/quantity`, message);
  }
  return { productCode: found.productCode, quantity: counted };
}
