import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sealedAnswers } from '../../src/platform/http/index.js';
import { costOf } from '../harness/explained.js';
import { newOrganization, openTestDatabase, type TestDatabase } from '../harness/index.js';

const RESPONSES = 20_000;
const SEALED = 3;

let db: TestDatabase;
let orgId: string;
let owner: pg.Client;
beforeAll(async () => {
  db = await openTestDatabase();
  orgId = (await newOrganization(db)).organization.orgId;
  await db.sql(
    `insert into idempotency_keys (org_id, credential_id, key, request_hash, created_at, status, body)
     select $1, 'lwk_1', 'key ' || i, '\\x00', $2, 200,
       case when i <= $4 then 'v2.0123abcd.iv.body' else '{"code":0,"data":{"n":' || i || '}}' end
     from generate_series(1, $3::integer) i`,
    [orgId, db.clock.now(), RESPONSES, SEALED],
  );
  owner = new pg.Client({ connectionString: db.url, options: '-c search_path=lotward,public' });
  await owner.connect();
});
afterAll(async () => {
  await owner?.end();
  await db?.drop();
});

it.each(['before the first analyze', 'after it'])(
  'a start counts sealed responses without reading the others, %s',
  async (when) => {
    if (when === 'after it') await db.sql('vacuum analyze idempotency_keys');
    const [role] = await db.sql<{ name: string }>(`select name from service_roles where kind = 'worker'`);
    const now = db.clock.now();
    const cost = await costOf(owner, role?.name ?? '', { orgId, now, planning: 'force_custom_plan' }, (tx) =>
      tx.query(sealedAnswers.count, []),
    );
    expect(cost.rows).toBeLessThan(10 * SEALED);
    expect(cost.pages).toBeLessThan(20);
  },
);
