import { client } from '../../app/api.js';
import type { Disposition, Nonconformity } from './quality.types.js';

export const ENTRIES_MAX = 1_000;
const PAGE = 200;

export interface PrintedRegister {
  entries: Nonconformity[];
  /** The dispositions of the entries, by id. */
  dispositions: ReadonlyMap<string, Disposition>;
  /** Whether there are more entries than can be printed. */
  isCut: boolean;
}

/** All entries that match the filters, newest first, with their dispositions. */
export async function readRegister(query: object): Promise<PrintedRegister> {
  const entries: Nonconformity[] = [];
  let isCut = false;
  for await (const entry of client.each('/v2/quality/nonconformities', {
    query: { ...query, limit: PAGE },
  })) {
    if (entries.length === ENTRIES_MAX) {
      isCut = true;
      break;
    }
    entries.push(entry);
  }
  return { entries, isCut, dispositions: await readDispositions(entries, query) };
}

/** Read as a list, because most entries have a disposition and would otherwise take one request each. */
async function readDispositions(
  entries: readonly Nonconformity[],
  query: object,
): Promise<ReadonlyMap<string, Disposition>> {
  const wanted = new Set(entries.flatMap(({ dispositionIds }) => dispositionIds));
  const found = new Map<string, Disposition>();
  if (wanted.size === 0) return found;
  const { productCode, batchNo } = query as { productCode?: string; batchNo?: string };
  const goods = { ...(productCode ? { productCode } : {}), ...(batchNo ? { batchNo } : {}) };
  for await (const disposition of client.each('/v2/quality/dispositions', {
    query: { ...goods, limit: PAGE },
  })) {
    if (wanted.delete(disposition.dispositionId)) found.set(disposition.dispositionId, disposition);
    if (wanted.size === 0) break;
  }
  return found;
}
