import { calendarColumns, organizationRows } from '../organizations/index.js';
import { statement, type Tx } from '../platform/database/index.js';
import type { Calendar } from '../platform/principal.js';

/** The day from which an organization keeps its books, and its calendar. */
export interface Books extends Calendar {
  booksFrom: string;
}

const books = statement(
  `select o.books_from as "booksFrom", ${calendarColumns} from ${organizationRows('$1')} o`,
);
const firstOfBatch = statement(`
  select occurred_at as "occurredAt" from movements
  where org_id = $1 and product_code = $2 and batch_no = $3 order by position limit 1`);

export async function readBooks(tx: Tx): Promise<Books> {
  const [row] = await tx.query<Books>(books, [tx.orgId]);
  if (!row) throw new Error('organization of the transaction not found');
  return row;
}

/** The instant of the first movement of a batch, or null if it has none. */
export async function readFirstMovement(tx: Tx, productCode: string, batchNo: string): Promise<Date | null> {
  const [row] = await tx.query<{ occurredAt: Date }>(firstOfBatch, [tx.orgId, productCode, batchNo]);
  return row?.occurredAt ?? null;
}
