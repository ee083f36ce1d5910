import { performance } from 'node:perf_hooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Explainer, openExplainer, type Planning } from '../../test/harness/explained.js';
import {
  fullTier,
  newOrganization,
  openTestDatabase,
  sized,
  type TestDatabase,
} from '../../test/harness/index.js';
import { writeEntries } from '../indexing/entry.store.js';
import { STRETCH } from '../indexing/grams.rules.js';
import { type Found, findEntries, findMatches, KINDS, soughtIn } from '../indexing/index.js';
import { type Database, type Pool, transact } from '../platform/database/index.js';
import { systemPrincipal } from '../platform/principal.js';

const ORDERS = sized(STRETCH + 2_000, 1_000_000);
const BATCH = 2_000;
const LIMIT = 20;

describe(`among ${ORDERS} orders`, () => {
  let db: TestDatabase;
  let orgId: string;
  let explainer: Explainer;

  beforeAll(async () => {
    db = await openTestDatabase();
    orgId = (await newOrganization(db)).organization.orgId;
    await fill(orgId, ORDERS);
    // Another organization has the same numbers: a plan must not live off there being one organization.
    await fill((await newOrganization(db)).organization.orgId, BATCH);
    await db.sql('vacuum analyze search_entries');
    explainer = await openExplainer(db, 'reader');
  }, 1_800_000);
  afterAll(async () => {
    await explainer?.close();
    await db?.drop();
  });

  const numberOf = (n: number) => `SO-2026-${String(n).padStart(7, '0')}`;

  async function fill(org: string, count: number): Promise<void> {
    for (let from = 1; from <= count; from += BATCH)
      await transact(db.database, systemPrincipal(org, 'test@test.example'), async (tx) => {
        const numbers = Array.from({ length: Math.min(BATCH, count - from + 1) }, (_, i) => from + i);
        writeEntries(
          tx,
          'order',
          numbers.map((n) => ({
            ...{ key: `ord_${n}`, position: n, at: new Date(Date.UTC(2026, 0, 1) + n * 1_000) },
            ...{ words: [numberOf(n)], id: `ord_${n}` },
          })),
        );
      });
    await db.sql(`insert into search_heads (org_id, kind, position) values ($1, 'order', $2)`, [org, count]);
  }

  const PLANNINGS: readonly Planning[] = ['force_custom_plan', 'force_generic_plan'];
  const search = (query: Pool['query'], q: string) => {
    const sought = soughtIn(q);
    if (!sought) throw new Error('nothing to look for');
    const options = { kinds: KINDS, limit: LIMIT, budgetMs: 60_000, monotonicMs: () => 0 };
    return findEntries({ query } as Pool, orgId, sought, options);
  };

  it.each<[what: string, q: string, found: number, rowsMax: number]>([
    // Three characters of such numbers do not tell many of them apart: the text of each is compared.
    ['a whole number', numberOf(7), 1, STRETCH],
    ['the end of a number', '26-0009999', 1, STRETCH],
    ['a number that does not exist', 'QX-99', 0, 500],
    ['a part of every number', '2026', LIMIT, 4 * STRETCH],
    ['the beginning of every number', 'so-', LIMIT, 4 * STRETCH],
  ])('%s is found through the index, one stretch at a time', async (_what, q, found, rowsMax) => {
    for (const planning of PLANNINGS) {
      let result: Found | undefined;
      const options = { orgId, now: new Date('2026-11-15T10:00:00Z'), planning };
      const { rows } = await explainer.costOf(options, async (tx) => {
        result = await search(tx.query as Pool['query'], q);
      });
      expect(result?.entries).toHaveLength(found);
      expect(rows, planning).toBeLessThanOrEqual(sized(rowsMax, Math.max(rowsMax, 200_000)));
    }
  });

  it('finds the newest first', async () => {
    const { entries, hasMore } = await search(
      (statement, values) => db.database.reader.query(statement, values),
      '2026',
    );
    expect(entries.map(({ key }) => key)).toEqual(
      Array.from({ length: LIMIT }, (_, i) => `ord_${ORDERS - i}`),
    );
    expect(hasMore).toBe(true);
  });

  it('gives a list the newest 10,000 keys, or all that match', async () => {
    const keysOf = async (q: string) => (await findMatches(db.database, orgId, q, ['order']))?.order ?? [];
    const all = new Set(await keysOf('2026'));
    expect(all.size).toBe(10_000);
    expect([all.has(`ord_${ORDERS}`), all.has('ord_1')]).toEqual([true, false]);
    expect(await keysOf('0000007')).toEqual(['ord_7']);
    expect(await keysOf('ord_7')).toEqual(['ord_7']);
    expect(await keysOf('QX-99')).toEqual([]);
    expect(await findMatches(db.database, orgId, '  ', ['order'])).toBeUndefined();
  });

  it('a list reads hardly more entries than it takes keys', async () => {
    for (const planning of PLANNINGS) {
      const options = { orgId, now: new Date('2026-11-15T10:00:00Z'), planning };
      const { rows } = await explainer.costOf(options, async ({ query }) => {
        const reader = { query } as unknown as Pool;
        await findMatches({ reader } as unknown as Database, orgId, '2026', ['order']);
      });
      // Each step of a plan counts the rows that it passes on.
      expect(rows, planning).toBeLessThanOrEqual(8 * (10_000 + 2 * STRETCH));
    }
  });

  it.runIf(fullTier)('answers within 100 ms', async () => {
    for (const q of [numberOf(7), '000007', 'QX-99', '2026', 'so-', '20', '0000']) {
      const query: Pool['query'] = (statement, values) => db.database.reader.query(statement, values);
      await search(query, q);
      const startedMs = performance.now();
      const sought = soughtIn(q);
      const options = { kinds: KINDS, limit: LIMIT, budgetMs: 50, monotonicMs: () => performance.now() };
      if (sought) await findEntries({ query } as Pool, orgId, sought, options);
      const tookMs = performance.now() - startedMs;
      console.info(`search for ${q} among ${ORDERS}: ${tookMs.toFixed(1)} ms`);
      expect(tookMs, q).toBeLessThan(100);
    }
  });
});
