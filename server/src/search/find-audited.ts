import { type AuditedEntity, entityKey } from '../audit/index.js';
import {
  enterMarked,
  findEntries,
  hasMarks,
  type Kind,
  pairKey,
  pairOf,
  soughtIn,
} from '../indexing/index.js';
import { type Database, type Tx, transact } from '../platform/database/index.js';
import type { Principal } from '../platform/principal.js';
import { findRecallIds, readRecallNos } from '../recalls/index.js';
import { searchSources } from './source.store.js';

/** The best matches of a text. Each requires reading its newest entries. */
const ENTITIES_MAX = 200;
const BUDGET_MS = 50;

/** The kinds that entries refer to, under the same name. */
const KINDS: readonly Kind[] = [
  ...(['order', 'receipt', 'dispatch', 'product', 'batch'] as const),
  ...(['partner', 'certificate', 'webhook'] as const),
];

/** Separates product code and batch number in the entity ids of audit entries. */
const OF_BATCH = '/';

/** Finds the entities of audit entries by any part of a number, name or code. */
export async function findAudited(
  database: Database,
  principal: Principal,
  text: string,
  monotonicMs: () => number,
): Promise<AuditedEntity[]> {
  const sought = soughtIn(text);
  if (sought === null) return [];
  const { orgId } = principal;
  if (await hasMarks(database.reader, orgId)) await enterMarked(database, orgId);
  const options = { kinds: KINDS, limit: ENTITIES_MAX, budgetMs: BUDGET_MS, monotonicMs };
  const { entries } = await findEntries(database.reader, orgId, sought, options);
  const recalls = await transact(database, principal, (tx) => findRecallIds(tx, text, ENTITIES_MAX));
  return [
    ...entries.map(({ kind, key }) => ({
      type: kind,
      id: kind === 'batch' ? pairOf(key).join(OF_BATCH) : key,
    })),
    ...recalls.map((id) => ({ type: 'recall', id })),
  ];
}

/** The titles of these entities, by type and id. Omits those that no longer exist or have none. */
export async function nameAudited(
  tx: Tx,
  entities: readonly AuditedEntity[],
): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  const idsOf = (type: string) => [
    ...new Set(entities.flatMap((each) => (each.type === type ? [each.id] : []))),
  ];
  for (const { kind, read } of searchSources) {
    const ids = KINDS.includes(kind) ? idsOf(kind) : [];
    if (ids.length === 0) continue;
    const keyed = new Map(ids.map((id) => [kind === 'batch' ? batchKey(id) : id, id]));
    for (const { key, title } of await read(tx, [...keyed.keys()]))
      names.set(entityKey({ type: kind, id: keyed.get(key) ?? key }), title);
  }
  const recalls = idsOf('recall');
  if (recalls.length > 0)
    for (const [id, no] of await readRecallNos(tx, recalls)) names.set(entityKey({ type: 'recall', id }), no);
  return names;
}

/** A product code has no slash; the number of a batch may. */
function batchKey(id: string): string {
  const at = id.indexOf(OF_BATCH);
  return pairKey(id.slice(0, at), id.slice(at + 1));
}
