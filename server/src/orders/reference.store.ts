import { statement, type Tx } from '../platform/database/index.js';

const known = statement(`
  select 'customer' as kind, code, status, name from partners where org_id = $1 and code = any($2) and 'customer' = any(roles)
  union all select 'warehouse', code, 'active', name from warehouses where org_id = $1 and code = any($3)
  union all select 'product', product_code, status, product_name from products where org_id = $1 and product_code = any($4)`);

/** The things orders name that exist, with their status and name. */
export class References {
  readonly #known = new Map<string, { status: string; name: string }>();

  static async read(
    tx: Tx,
    named: { customers: readonly string[]; warehouses: readonly string[]; products: readonly string[] },
  ): Promise<References> {
    const rows = await tx.query<{ kind: string; code: string; status: string; name: string }>(known, [
      tx.orgId,
      [...new Set(named.customers)],
      [...new Set(named.warehouses)],
      [...new Set(named.products)],
    ]);
    const references = new References();
    for (const { kind, code, status, name } of rows)
      references.#known.set(`${kind} ${code}`, { status, name });
    return references;
  }

  statusOf(kind: 'customer' | 'warehouse' | 'product', code: string): string | undefined {
    return this.#known.get(`${kind} ${code}`)?.status;
  }

  nameOf(kind: 'customer' | 'product', code: string): string {
    return this.#known.get(`${kind} ${code}`)?.name ?? code;
  }
}
