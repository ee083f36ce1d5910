import { statement, type Tx } from '../platform/database/index.js';

const known = statement(`
  select 'customer' as kind, code, status from partners where org_id = $1 and code = any($2) and 'customer' = any(roles)
  union all select 'warehouse', code, 'active' from warehouses where org_id = $1 and code = any($3)
  union all select 'product', product_code, status from products where org_id = $1 and product_code = any($4)`);

/** The things orders name that exist, with their status. */
export class References {
  readonly #status = new Map<string, string>();

  static async read(
    tx: Tx,
    named: { customers: readonly string[]; warehouses: readonly string[]; products: readonly string[] },
  ): Promise<References> {
    const rows = await tx.query<{ kind: string; code: string; status: string }>(known, [
      tx.orgId,
      [...new Set(named.customers)],
      [...new Set(named.warehouses)],
      [...new Set(named.products)],
    ]);
    const references = new References();
    for (const row of rows) references.#status.set(`${row.kind} ${row.code}`, row.status);
    return references;
  }

  statusOf(kind: 'customer' | 'warehouse' | 'product', code: string): string | undefined {
    return this.#status.get(`${kind} ${code}`);
  }
}
