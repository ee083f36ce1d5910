import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CITUS_URL } from '../harness/cluster.js';
import type { TestDatabase } from '../harness/index.js';
import { insertsOfSeveral, statementsOfAll } from './expected-statements.js';
import { tablesWithoutParameter } from './organization-parameter.js';
import { writtenStatements } from './written-statements.js';

const ORG = 'org_of_nobody';

/** A value of each type of parameter. Every text is the organization, because it can be any of them. */
const VALUES: Readonly<Record<string, string>> = {
  text: `'${ORG}'`,
  'text[]': `array['${ORG}']`,
  integer: '1',
  bigint: '1',
  boolean: 'true',
  'timestamp with time zone': "'2026-11-15'",
  date: "'2026-11-15'",
  bytea: "'\\x00'",
  jsonb: "'{}'",
};

/** Months are partitions with the rows of all organizations. */
const MONTHS = 'environment/reading-month.store.ts';

/** Commands that only begin, end or configure the transaction on a node. */
const BESIDE = /^issuing (begin|set|rollback|commit|savepoint|release|select assign_|with placement)/i;

interface Outcome {
  file: string;
  text: string;
  error: string | null;
  /** The nodes that took part. */
  nodes: number;
}

describe.runIf(CITUS_URL)('on a cluster, every statement', () => {
  let db: TestDatabase;
  let client: pg.Client;
  const outcomes: Outcome[] = [];
  const nodes = new Set<string>();

  beforeAll(async () => {
    const found = await writtenStatements();
    db = found.db;
    // Otherwise an insert for the organization selects no rows, and takes no number from a sequence.
    await db.sql(
      `insert into organizations (org_id, code, name, edition, time_zone, status, created_at, updated_at, books_from)
       values ($1, 'nobody', 'Nobody', 'standard', 'UTC', 'active', '2026-01-01', '2026-01-01', '2026-01-01')`,
      [ORG],
    );
    client = new pg.Client({ connectionString: db.url });
    await client.connect();
    client.on('notice', ({ message = '', detail = '' }) => {
      if (/^issuing /.test(message) && !BESIDE.test(message))
        nodes.add(detail.replace(/ connectionId.*/s, ''));
    });
    const tables = await db.sql<{ name: string }>(
      'select c.relname as name from pg_class c join pg_dist_partition d on d.logicalrelid = c.oid',
    );
    const guarded = new Set(tables.map(({ name }) => name));
    const seen = new Set<string>();
    for (const { file, text } of found.written) {
      if (file === '' || seen.has(text) || !/^\s*(select|insert|update|delete|with)\b/i.test(text)) continue;
      seen.add(text);
      // The form for several organizations is not used on a cluster.
      if (/unnest\(\$/.test(text) && (await tablesWithoutParameter(text, guarded)).length > 0) continue;
      outcomes.push({ file, text, ...(await runAsAny(text)) });
    }
  });
  afterAll(async () => {
    await client?.end();
    await db?.close();
  });

  /** As the first of the roles that has the privileges; nothing of it stays. */
  async function runAsAny(text: string): Promise<Pick<Outcome, 'error' | 'nodes'>> {
    let refused: string | null = null;
    for (const role of ['worker', 'reader', 'app']) {
      await client.query('begin');
      const error = await run(text, `lotward_lotward_template_${role}`);
      await client.query('rollback');
      await client.query('deallocate all');
      // A constraint or a policy that is violated, or a value that makes no sense: it was planned.
      if (error === null || /^2[23]|violates row-level security/.test(error))
        return { error: null, nodes: nodes.size };
      if (refused === null || !error.startsWith('42501')) refused = error;
    }
    return { error: refused, nodes: nodes.size };
  }

  async function run(text: string, role: string): Promise<string | null> {
    try {
      await client.query('set local search_path = lotward, public');
      await client.query(`set local role ${role}`);
      await client.query("set local citus.propagate_set_commands = 'local'");
      await client.query(`set local app.org = '${ORG}'`);
      await client.query(`prepare tried as ${text}`);
      const { rows } = await client.query<{ type: string }>(
        'select unnest(parameter_types)::text as type from pg_prepared_statements',
      );
      const values = rows.map(({ type }) => VALUES[type] ?? 'null').join(', ');
      await client.query('set local citus.log_remote_commands = on');
      nodes.clear();
      await client.query(`execute tried${values === '' ? '' : `(${values})`}`);
      return null;
    } catch (error) {
      const { code, message } = error as pg.DatabaseError;
      return `${code} ${message}`;
    }
  }

  it('is taken', () => {
    expect(outcomes.filter(({ error }) => error !== null)).toEqual([]);
    expect(outcomes.length).toBeGreaterThan(600);
  });

  it('stays on the node of the organization, unless it looks at all of them', () => {
    const allowed = [...Object.keys(statementsOfAll), ...Object.keys(insertsOfSeveral), MONTHS];
    expect(outcomes.filter(({ file, nodes }) => nodes > 1 && !allowed.includes(file))).toEqual([]);
  });
});
