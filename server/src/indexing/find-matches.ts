import type { Database } from '../platform/database/index.js';
import { createHook } from '../platform/hooks/index.js';
import type { Kind } from './entry.js';
import { hasMarks, readFound, readPositions } from './find.store.js';
import { newestFirst } from './find-entries.js';
import { partGrams, prefixGrams, soughtIn, wholeGrams } from './grams.rules.js';

/** Enters the records of an organization that were marked last. The slices that know how to read them are above. */
export const enterMarked = createHook<[database: Database, orgId: string]>('indexing.enterMarked');

/** Records of a kind that a filter by text considers at most, the newest ones: as many as a list counts. */
const MATCHES_MAX = 10_000;

/** The keys of the records that match, by kind. */
export type Matches<K extends Kind> = Readonly<Record<K, readonly string[]>>;

/** Finds all records of these kinds that have the text in a number, name or code. Undefined: there is no text. */
export async function findMatches<K extends Kind>(
  database: Database,
  orgId: string,
  text: string | undefined,
  kinds: readonly K[],
): Promise<Matches<K> | undefined> {
  const sought = text === undefined ? null : soughtIn(text);
  if (sought === null) return undefined;
  const { reader } = database;
  if (await hasMarks(reader, orgId)) await enterMarked(database, orgId);
  const positions = await readPositions(reader, orgId);
  const gramsOf = sought.terms.every((term) => [...term].length === 1) ? prefixGrams : partGrams;
  const keysOf = async (kind: K): Promise<readonly string[]> => {
    const keys = new Set<string>();
    const parts = newestFirst(positions, [kind]).map((round) =>
      round.map(({ stretch }) => ({ kind, grams: gramsOf(sought, orgId, kind, stretch) })),
    );
    // Ids are found as a whole only.
    for (const probes of [[{ kind, grams: wholeGrams(sought, orgId, kind) }], ...parts]) {
      if (keys.size >= MATCHES_MAX) break;
      for (const { key } of await readFound(reader, orgId, probes, sought, MATCHES_MAX)) keys.add(key);
    }
    return [...keys].slice(0, MATCHES_MAX);
  };
  const found: [K, readonly string[]][] = [];
  for (const kind of kinds) found.push([kind, await keysOf(kind)]);
  return Object.fromEntries(found) as Matches<K>;
}
