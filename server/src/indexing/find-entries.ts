import type { Pool } from '../platform/database/index.js';
import type { Kind } from './entry.js';
import { type FoundEntry, type Probe, readFound, readPositions } from './find.store.js';
import { partGrams, prefixGrams, type Sought, stretchOf, wholeGrams } from './grams.rules.js';

export interface FindOptions {
  kinds: readonly Kind[];
  limit: number;
  /** How long to continue into older stretches. */
  budgetMs: number;
  /** Monotonic milliseconds. */
  monotonicMs: () => number;
}

export interface Found {
  entries: FoundEntry[];
  /** There are more, or may be: a search with too many matches stops before it has read everything. */
  hasMore: boolean;
}

/** Stretches per statement, few enough to check the budget in time. */
const PROBES_MAX = 32;

/**
 * Finds the best entries: whole words, then beginnings of words, then any part; newest first. Reads the newest stretch of
 * each kind first and stops when it has enough, so a search for something common costs no more than one for something rare.
 */
export async function findEntries(
  reader: Pool,
  orgId: string,
  sought: Sought,
  { kinds, limit, budgetMs, monotonicMs }: FindOptions,
): Promise<Found> {
  const endMs = monotonicMs() + budgetMs;
  const stretches = newestFirst(await readPositions(reader, orgId), kinds);
  const found = new Map<string, FoundEntry>();
  const isEnough = (rankMax: number) =>
    [...found.values()].filter(({ rank }) => rank <= rankMax).length > limit;
  /** Returns whether it has read everything. */
  const look = async (rounds: readonly (readonly Probe[])[], rankMax: number): Promise<boolean> => {
    for (const [i, probes] of rounds.entries()) {
      if (i > 0 && (isEnough(rankMax) || monotonicMs() > endMs)) return false;
      for (const entry of await readFound(reader, orgId, probes, sought, limit + 1))
        found.set(JSON.stringify([entry.kind, entry.key]), entry);
    }
    return true;
  };
  const probesOf = (gramsOf: typeof partGrams) =>
    stretches.map((round) =>
      round.map(({ kind, stretch }) => ({ kind, grams: gramsOf(sought, orgId, kind, stretch) })),
    );
  const isShort = sought.terms.every((term) => [...term].length === 1);
  const whole = kinds.map((kind) => ({ kind, grams: wholeGrams(sought, orgId, kind) }));
  await look([whole], 0);
  let isAll = !isEnough(0) && (await look(probesOf(isShort ? prefixGrams : partGrams), 2));
  // Enough matches of any rank were found: a better one may be in an older stretch.
  if (!isAll && !isShort) await look(probesOf(prefixGrams), 1);
  const entries = takingTurns([...found.values()].sort(byRank));
  isAll &&= entries.length <= limit;
  return { entries: entries.slice(0, limit), hasMore: !isAll };
}

const byRank = (a: FoundEntry, b: FoundEntry): number =>
  a.rank - b.rank || b.at.getTime() - a.at.getTime() || b.position - a.position;

/** Entries of a kind in a row. */
const TURN = 5;

/** Takes turns between the kinds within a rank, so that hundreds of serial numbers do not hide an order. */
function takingTurns(entries: readonly FoundEntry[]): FoundEntry[] {
  const counts = new Map<string, number>();
  const turnOf = ({ rank, kind }: FoundEntry) => {
    const place = counts.get(`${rank} ${kind}`) ?? 0;
    counts.set(`${rank} ${kind}`, place + 1);
    return Math.floor(place / TURN);
  };
  return entries
    .map((entry) => ({ entry, turn: turnOf(entry) }))
    .sort((a, b) => a.entry.rank - b.entry.rank || a.turn - b.turn)
    .map(({ entry }) => entry);
}

interface Stretch {
  kind: Kind;
  stretch: number;
}

/** The newest stretch of every kind in the first round, older ones in the next. */
function newestFirst(positions: ReadonlyMap<Kind, number>, kinds: readonly Kind[]): Stretch[][] {
  const newest = kinds.flatMap((kind) => {
    const position = positions.get(kind);
    return position === undefined ? [] : [{ kind, stretch: stretchOf(position) }];
  });
  const older = newest
    .flatMap(({ kind, stretch }) =>
      Array.from({ length: stretch }, (_, back) => ({ kind, back: back + 1, stretch })),
    )
    .sort((a, b) => a.back - b.back)
    .map(({ kind, stretch, back }) => ({ kind, stretch: stretch - back }));
  const rounds: Stretch[][] = newest.length === 0 ? [] : [newest];
  for (let i = 0; i < older.length; i += PROBES_MAX) rounds.push(older.slice(i, i + PROBES_MAX));
  return rounds;
}
