import { readUdi } from '@lotward/udi';
import {
  type Found,
  findEntries,
  hasMarks,
  indexBeforeSearch,
  type Kind,
  pairKey,
  soughtIn,
} from '../indexing/index.js';
import { type Database, type Tx, transact } from '../platform/database/index.js';
import type { Principal } from '../platform/principal.js';
import { readIdentifiedProducts, storedNumber } from '../scanning/index.js';
import type { SearchRecord } from './record.js';
import { searchSources } from './source.store.js';

export const RESULTS_MAX = 20;
/** A search ends within 100 ms; this much of it may go into older stretches. */
const BUDGET_MS = 50;

export interface SearchRequest {
  query: string;
  /** The query with `+` kept as a plus sign, with which every HIBC code begins. */
  literal: string;
}

export interface SearchResult extends SearchRecord {
  kind: Kind;
}

/** Finds the records that the principal may read by any part of a number, name or code, or by a scanned UDI. */
export async function searchRecords(
  database: Database,
  principal: Principal,
  { query, literal }: SearchRequest,
  monotonicMs: () => number,
): Promise<{ items: SearchResult[]; hasMore: boolean }> {
  const { orgId, scopes } = principal;
  const sources = searchSources.filter(({ scope }) => scopes.has(scope));
  const sought = soughtIn(query);
  if (sources.length === 0 || sought === null) return { items: [], hasMore: false };
  const isBehind =
    (await hasMarks(database.reader, orgId)) && !(await indexBeforeSearch(database, orgId, searchSources));
  const kinds = sources.map(({ kind }) => kind);
  const options = { kinds, limit: RESULTS_MAX, budgetMs: BUDGET_MS, monotonicMs };
  const { entries, hasMore } = await findEntries(database.reader, orgId, sought, options);
  return transact(database, principal, async (tx) => {
    const named = await scannedRecords(tx, [literal, query]);
    const items = await describe(tx, sources, [...named, ...entries]);
    return { items: items.slice(0, RESULTS_MAX), hasMore: isBehind || hasMore || items.length > RESULTS_MAX };
  });
}

type Named = Pick<Found['entries'][number], 'kind' | 'key'>;

/** The unit, batch and product of a scanned code, most specific first. */
async function scannedRecords(tx: Tx, codes: readonly string[]): Promise<Named[]> {
  for (const code of codes) {
    const reading = readUdi(code.trim(), { today: tx.today });
    if (!reading.ok || reading.udi.deviceIdentifier === null) continue;
    const { deviceIdentifier } = reading.udi;
    const product = (await readIdentifiedProducts(tx, [deviceIdentifier])).get(deviceIdentifier);
    if (!product) continue;
    const { productCode } = product;
    const serialNo = storedNumber(reading.udi.serialNo);
    const batchNo = storedNumber(reading.udi.batchNo);
    return [
      ...(serialNo ? [{ kind: 'serial' as const, key: pairKey(productCode, serialNo) }] : []),
      ...(batchNo ? [{ kind: 'batch' as const, key: pairKey(productCode, batchNo) }] : []),
      { kind: 'product', key: productCode },
    ];
  }
  return [];
}

/** Reads the current records in the given order. Omits those that no longer exist. */
async function describe(
  tx: Tx,
  sources: typeof searchSources,
  named: readonly Named[],
): Promise<SearchResult[]> {
  const keyOf = ({ kind, key }: Named) => JSON.stringify([kind, key]);
  const read = await Promise.all(
    sources.map(async ({ kind, read }) => {
      const keys = [...new Set(named.filter((each) => each.kind === kind).map(({ key }) => key))];
      if (keys.length === 0) return [];
      return (await read(tx, keys)).map((record) => ({ ...record, kind }));
    }),
  );
  const found = new Map(read.flat().map((record) => [keyOf(record), record]));
  return [...new Set(named.map(keyOf))].flatMap((key) => found.get(key) ?? []);
}
