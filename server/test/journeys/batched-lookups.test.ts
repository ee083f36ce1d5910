import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clientStore } from '../../src/credentials/client.store.js';
import { createClient } from '../../src/credentials/index.js';
import { keyStore, readKeysForLogin } from '../../src/credentials/key.store.js';
import { readTokenStandings } from '../../src/oauth/token.store.js';
import { readSessions } from '../../src/people/sign-in/session.store.js';
import { type Pool, transact } from '../../src/platform/database/index.js';
import { systemPrincipal } from '../../src/platform/principal.js';
import { readEndpoints } from '../../src/webhooks/delivery/lease.store.js';
import { costOf, type Planning } from '../harness/explained.js';
import { newPerson, newSession, openTestService } from '../harness/index.js';

const ASKED = 24;
const NOW = new Date('2027-01-01T00:00:00Z');
const sizes = [400, 3_000];
/** Over all tables that a statement joins. A small table may be read once as a whole instead, but not once for each. */
const rowsMax = (had: number) => ASKED * 40 + 3 * had;
const plannings: Planning[] = ['force_custom_plan', 'force_generic_plan'];

const ofSize = `${ASKED} look-ups in one statement read their own rows, of %i that no statistics know of`;

/**
 * Many calls ask for their own row in one statement. A plan that finds rows by the organization alone reads everything it has for
 * each of them: the planner takes that for equal as long as it knows the table only as it was when it was small.
 */
describe.each(sizes)(ofSize, (had) => {
  let service: Awaited<ReturnType<typeof openTestService>>;
  let orgId: string;
  let userId: string;
  let owner: pg.Client;
  const roles = new Map<string, string>();
  const spread = Math.floor(had / ASKED);
  const asked = (prefix: string) =>
    Array.from({ length: ASKED }, (_, n) => `${prefix}_${String(had - n * spread).padStart(26, '0')}`);

  /** Makes copies of a row of the organization that differ in one column. */
  const copy = (table: string, column: string, prefix: string) =>
    service.db.sql(
      `insert into ${table} select c.* from ${table} r, generate_series(1, ${had}) n,
         lateral jsonb_populate_record(r, jsonb_build_object('${column}', '${prefix}_' || lpad(n::text, 26, '0'))) c
       where r.ctid = (select ctid from ${table} where org_id = $1 limit 1)`,
      [orgId],
    );

  beforeAll(async () => {
    service = await openTestService({ alone: true });
    orgId = service.org.organization.orgId;
    const { db } = service;
    userId = (await newPerson(db, orgId)).userId;
    await newSession(db, orgId);
    await transact(db.database, systemPrincipal(orgId, 'operator@test.example'), (tx) =>
      createClient(tx, { name: 'app', scopes: ['products:read'], owner: 'owner@test.example' }),
    );
    const webhook = { callbackUrl: 'https://partner.example/', eventTypes: ['order.status_changed'] };
    const answer = await service.call('POST', '/v2/webhooks', webhook);
    expect(answer.status, answer.text).toBe(200);
    await copy('api_keys', 'key_id', 'key');
    await copy('oauth_clients', 'client_id', 'cli');
    await copy('sessions', 'session_id', 'ses');
    await copy('webhooks', 'webhook_id', 'whk');
    await copy('webhook_states', 'webhook_id', 'whk');
    const named = await db.sql<{ kind: string; name: string }>('select kind, name from service_roles');
    for (const { kind, name } of named) roles.set(kind, name);
    owner = new pg.Client({ connectionString: db.url, options: '-c search_path=lotward,public' });
    await owner.connect();
  });
  afterAll(async () => {
    await owner?.end();
    await service?.close();
  });

  const uses = (prefix: string) => asked(prefix).map((id) => ({ orgId, id, at: NOW }));
  const tokens = () =>
    asked('cli').map((clientId) => ({ orgId, clientId, tokenId: clientId, userId, grantHash: null }));
  const keys = () => asked('key').map((keyId) => ({ orgId, keyId }));
  const sessions = () => asked('ses').map((sessionId) => ({ orgId, sessionId }));
  const webhooks = () => asked('whk').map((webhookId) => ({ orgId, webhookId }));
  const lookups: [name: string, role: 'reader' | 'worker', (pool: Pool) => Promise<unknown>][] = [
    ['keys', 'reader', (pool) => readKeysForLogin(pool, keys())],
    ['sessions', 'reader', (pool) => readSessions(pool, sessions())],
    ['tokens', 'reader', (pool) => readTokenStandings(pool, tokens(), NOW)],
    ['uses of keys', 'worker', (pool) => keyStore.noteUse(pool, uses('key'))],
    ['uses of clients', 'worker', (pool) => clientStore.noteUse(pool, uses('cli'))],
    ['webhooks', 'worker', (pool) => readEndpoints(pool, webhooks())],
  ];

  describe.each(plannings)('with %s', (planning) => {
    it.each(lookups)('%s', async (_name, role, ask) => {
      const context = { orgId, now: NOW, planning };
      const { rows } = await costOf(owner, roles.get(role) ?? '', context, (tx) =>
        ask(tx as unknown as Pool),
      );
      expect(rows).toBeGreaterThanOrEqual(ASKED);
      expect(rows).toBeLessThan(rowsMax(had));
    });
  });
});
