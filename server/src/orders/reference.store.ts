import {
  type NamedPartner,
  type ProductWords,
  partnerIssues,
  partnerRows,
  productRows,
  unknownProduct,
  unknownWarehouse,
  warehouseRows,
} from '../catalogue/index.js';
import { statement, type Tx } from '../platform/database/index.js';
import type { Issue } from '../platform/errors/index.js';

const known = statement(`
  select 'customer' as kind, code, name, roles, null as specification, null as model, null as manufacturer,
    null as "registrationNo", null as unit
  from ${partnerRows('$1')} c where code = any($2)
  union all select 'warehouse', code, name, null, null, null, null, null, null
  from ${warehouseRows('$1')} w where code = any($3)
  union all select 'product', product_code, product_name, null, specification, model, manufacturer, registration_no, unit
  from ${productRows('$1')} p where product_code = any($4)`);

type Row = NamedPartner & Omit<ProductWords, 'productName'> & { kind: string; code: string };

/** The existing records that orders name, with their current names. */
export class References {
  readonly #known = new Map<string, Row>();

  static async read(
    tx: Tx,
    named: { customers: readonly string[]; warehouses: readonly string[]; products: readonly string[] },
  ): Promise<References> {
    const rows = await tx.query<Row>(known, [
      tx.orgId,
      [...new Set(named.customers)],
      [...new Set(named.warehouses)],
      [...new Set(named.products)],
    ]);
    const references = new References();
    for (const row of rows) references.#known.set(`${row.kind} ${row.code}`, row);
    return references;
  }

  customerIssues(path: string, code: string): Issue[] {
    return partnerIssues(path, code, 'customer', this.#known.get(`customer ${code}`));
  }

  warehouseIssues(path: string, code: string): Issue[] {
    return this.#known.has(`warehouse ${code}`) ? [] : [unknownWarehouse(path, code)];
  }

  /** `said` is the code as the caller wrote it. */
  productIssues(path: string, code: string, said: string): Issue[] {
    return this.#known.has(`product ${code}`) ? [] : [unknownProduct(path, said)];
  }

  customerName(code: string): string {
    return this.#known.get(`customer ${code}`)?.name ?? code;
  }

  wordsOf(productCode: string): ProductWords {
    const row = this.#known.get(`product ${productCode}`);
    if (!row) throw new Error(`the words of product ${productCode} were not read`);
    const { name, specification, model, manufacturer, registrationNo, unit } = row;
    return { productName: name, specification, model, manufacturer, registrationNo, unit };
  }
}
