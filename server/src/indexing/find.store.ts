import { type Pool, statement } from '../platform/database/index.js';
import type { Kind } from './entry.js';
import type { Sought } from './grams.rules.js';

const positions = statement('select kind, position from search_heads where org_id = $1 and position > 0');
const anyMarks = statement('select 1 from search_marks where org_id = $1 limit 1');

/** Returns whether records wait to be indexed. */
export async function hasMarks(reader: Pool, orgId: string): Promise<boolean> {
  return (await reader.query(anyMarks, [orgId])).length > 0;
}

/** The last position of each kind that has entries. */
export async function readPositions(reader: Pool, orgId: string): Promise<Map<Kind, number>> {
  const rows = await reader.query<{ kind: Kind; position: number }>(positions, [orgId]);
  return new Map(rows.map(({ kind, position }) => [kind, position]));
}

/** Entries of a kind with all these grams. */
export interface Probe {
  kind: Kind;
  grams: readonly number[];
}

export interface FoundEntry {
  kind: Kind;
  key: string;
  at: Date;
  position: number;
  /** 0: a whole word, 1: the beginning of a word, 2: any part. */
  rank: number;
}

// A lateral query for each probe, served by the index of grams. Grams only narrow the candidates; the text decides. Each
// probe is ordered by itself, so none reads more than one stretch.
const probeEntries = statement(`
  select e.kind, e.key, e.at, e.position, e.rank from unnest($2::text[], $3::text[]) as p(kind, grams)
  cross join lateral (
    select e.kind, e.key, e.at, e.position, case when strpos(e.body, E'\\n' || $4 || E'\\n') > 0 then 0
      when strpos(e.body, E'\\n' || $4) > 0 then 1 else 2 end as rank
    from search_entries e
    where e.org_id = $1 and e.kind = p.kind and e.grams @> p.grams::integer[]
      and not exists (select from unnest($5::text[]) as t(term) where strpos(e.body, t.term) = 0)
    order by rank, e.position desc limit $6) e`);

// Without a rank and newest first: a list has an order of its own.
const probeKeys = statement(`
  select e.key from unnest($3::text[]) as p(grams)
  cross join lateral (
    select e.key from search_entries e
    where e.org_id = $1 and e.kind = $2 and e.grams @> p.grams::integer[] and e.body like all($4::text[])
    order by e.position desc limit $5) e`);

/** The keys of up to `limit` entries for each set of grams, the newest first, as the reader role. */
export async function readKeys(
  reader: Pool,
  orgId: string,
  kind: Kind,
  sets: readonly (readonly number[])[],
  { terms }: Sought,
  limit: number,
): Promise<string[]> {
  const grams = sets.map((set) => `{${set.join(',')}}`);
  const patterns = terms.map((term) => `%${term.replace(/[\\%_]/g, '\\$&')}%`);
  const rows = await reader.query<{ key: string }>(probeKeys, [orgId, kind, grams, patterns, limit]);
  return rows.map(({ key }) => key);
}

/** Up to `limit` entries for each probe, the best first, as the reader role: under row-level security no index would be used. */
export async function readFound(
  reader: Pool,
  orgId: string,
  probes: readonly Probe[],
  { text, terms }: Sought,
  limit: number,
): Promise<FoundEntry[]> {
  const kinds = probes.map(({ kind }) => kind);
  const grams = probes.map((probe) => `{${probe.grams.join(',')}}`);
  return reader.query<FoundEntry>(probeEntries, [orgId, kinds, grams, text, terms, limit]);
}
