import type { Database } from '../platform/database/index.js';
import { createHook } from '../platform/hooks/index.js';
import type { Kind } from './entry.js';
import { hasMarks, readKeys, readPositions } from './find.store.js';
import { partGrams, prefixGrams, soughtIn, stretchOf, wholeGrams } from './grams.rules.js';
import { FIRST_STRETCHES, stretchesToRead } from './stretches.rules.js';

/** Indexes the most recently marked records of an organization. The slices above, which can read them, connect it. */
export const enterMarked = createHook<[database: Database, orgId: string]>('indexing.enterMarked');

/** Records of a kind that a filter by text considers, newest first: as many as a list counts. */
const MATCHES_MAX = 10_000;
/** The same limit for a list in which a record has many rows. */
export const SUBJECTS_MAX = 1_000;

/** The keys of the matching records by kind, and the text itself, which may be a whole id. */
export type Matches<K extends Kind> = Readonly<Record<K, readonly string[]>> & { readonly text: string };

/** Finds all records of these kinds that have the text in a number, name or code. Undefined if there is no text. */
export async function findMatches<K extends Kind>(
  database: Database,
  orgId: string,
  text: string | undefined,
  kinds: readonly K[],
  max = MATCHES_MAX,
): Promise<Matches<K> | undefined> {
  const sought = text === undefined ? null : soughtIn(text);
  if (text === undefined || sought === null) return undefined;
  const { reader } = database;
  if (await hasMarks(reader, orgId)) await enterMarked(database, orgId);
  const positions = await readPositions(reader, orgId);
  const gramsOf = sought.terms.every((term) => [...term].length === 1) ? prefixGrams : partGrams;
  const keysOf = async (kind: K): Promise<readonly string[]> => {
    const read = (sets: readonly (readonly number[])[]) => readKeys(reader, orgId, kind, sets, sought, max);
    // Ids match only as a whole.
    const keys = new Set(await read([wholeGrams(sought, orgId, kind)]));
    let next = (positions.get(kind) ?? 0) === 0 ? -1 : stretchOf(positions.get(kind) ?? 0);
    for (let size = FIRST_STRETCHES; next >= 0 && keys.size < max; ) {
      const looked = Math.min(size, next + 1);
      const found = await read(
        Array.from({ length: looked }, (_, i) => gramsOf(sought, orgId, kind, next - i)),
      );
      for (const key of found) keys.add(key);
      next -= looked;
      size = stretchesToRead(max - keys.size, found.length / looked);
    }
    return [...keys].slice(0, max);
  };
  const found: [K, readonly string[]][] = [];
  for (const kind of kinds) found.push([kind, await keysOf(kind)]);
  return { ...(Object.fromEntries(found) as Record<K, readonly string[]>), text: text.trim() };
}
