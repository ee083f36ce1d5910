/*
 * Organizations with webhooks, and pending events.
 */
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { createOrganization } from '../../server/dist/organizations/index.js';
import { openDatabase, transact } from '../../server/dist/platform/database/index.js';
import { systemPrincipal } from '../../server/dist/platform/principal.js';
import { secretBox } from '../../server/dist/platform/secrets/index.js';
import { createWebhook, ORGANIZATION } from '../../server/dist/webhooks/index.js';
import { newDatabase } from '../inventory/tables.mjs';
import {
  ENDPOINTS_PER_ORGANIZATION,
  OWN_TYPES,
  ownAddress,
  SHARED_TYPE,
  secretOf,
  urlOf,
} from './records.mjs';

const migrationsDirectory = fileURLToPath(new URL('../../server/migrations', import.meta.url));
const OPERATOR = 'operator@bench.example';
const SETTLED_LOOK_MS = 3;

/** Creates the organizations with their webhooks; returns them with an owner connection. */
export async function openWebhooks(server, organizations, port) {
  const { url, secretKey } = await newDatabase(server, 'bench_webhooks', []);
  const box = secretBox([secretKey]);
  const database = await openDatabase({ url, migrationsDirectory, box });
  const orgIds = [];
  try {
    for (let i = 0; i < organizations; i++) {
      const created = { code: `pushed-${i}`, name: `Pushed ${i}`, edition: 'standard' };
      const { orgId } = await createOrganization(database, OPERATOR, created);
      orgIds.push(orgId);
      await transact(database, systemPrincipal(orgId, OPERATOR), async (tx) => {
        for (let k = 0; k < ENDPOINTS_PER_ORGANIZATION; k++) {
          const endpoint = i * ENDPOINTS_PER_ORGANIZATION + k;
          await createWebhook(tx, box, {
            callbackUrl: urlOf(ownAddress, endpoint, port),
            eventTypes: [SHARED_TYPE, OWN_TYPES[k]],
            description: null,
            customerCode: null,
            owner: ORGANIZATION,
            secret: secretOf(endpoint),
          });
        }
      });
    }
  } finally {
    await database.close();
  }
  const owner = new pg.Client({ connectionString: url, options: '-c search_path=lotward,public' });
  await owner.connect();
  await owner.query('vacuum (analyze)');
  return { url, secretKey, orgIds, owner, port };
}

const move = `update webhooks w set callback_url = m.new from unnest($1::text[], $2::text[]) as m(old, new)
  where w.callback_url = m.old`;
const noteMove = 'update webhook_states set version = version + 1';
const announceMove = `select pg_notify('lotward', 'webhooks ' || org_id) from unnest($1::text[]) as org_id`;

/** Changes the addresses of all endpoints, as their owners would. */
export async function moveEndpoints({ owner, orgIds, port }, from, to) {
  const endpoints = Array.from({ length: orgIds.length * ENDPOINTS_PER_ORGANIZATION }, (_, i) => i);
  await owner.query('begin');
  await owner.query(move, [
    endpoints.map((endpoint) => urlOf(from, endpoint, port)),
    endpoints.map((endpoint) => urlOf(to, endpoint, port)),
  ]);
  await owner.query(noteMove);
  await owner.query('commit');
  await owner.query(announceMove, [orgIds]);
}

const insertHeads = `insert into event_heads (org_id, position) select org_id, 0 from unnest($1::text[]) as org_id
  on conflict (org_id) do nothing`;
const insertEvents = `insert into events (org_id, event_id, event_type, at, entity_type, entity_id, entity_version,
    body, position)
  select e.org_id, e.event_id, '${SHARED_TYPE}', now(), 'order', e.entity_id, e.version, e.body,
    h.position + row_number() over (partition by e.org_id order by e.event_id)
  from unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::text[])
    as e(org_id, event_id, entity_id, version, body) join event_heads h using (org_id)`;
const moveHeads = `update event_heads h set position = h.position + $2 where org_id = any($1)`;
const announce = `select pg_notify('lotward', 'events ' || org_id) from unnest($1::text[]) as org_id`;

/** Writes events with their places in the feed, which nobody sees before the function it answers with is called. */
export async function insertBacklog({ owner, orgIds }, events, perOrganization) {
  const own = [...new Set(events.map(({ organization }) => orgIds[organization]))];
  await owner.query('begin');
  await owner.query(insertHeads, [own]);
  await owner.query(insertEvents, [
    events.map(({ organization }) => orgIds[organization]),
    events.map(({ eventId }) => eventId),
    events.map(({ orderId }) => orderId),
    events.map(({ mark }) => mark + 1),
    events.map(({ body }) => body),
  ]);
  await owner.query(moveHeads, [own, perOrganization]);
  return async () => {
    await owner.query('commit');
    await owner.query(announce, [own]);
  };
}

const unsettled = `select count(*)::int as count from webhook_states s join event_heads h using (org_id)
  where s.settled_to < h.position`;

/** Resolves when every push is settled and written. */
export async function allSettled(owner, patienceMs) {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    const { rows } = await owner.query(unsettled);
    if (rows[0].count === 0) return;
    if (performance.now() > deadline) throw new Error(`${rows[0].count} endpoints do not settle`);
    await new Promise((resolve) => setTimeout(resolve, SETTLED_LOOK_MS));
  }
}

/** Delivered attempts that were noted, of all time. */
export async function countAttempts(owner) {
  const { rows } = await owner.query('select count(*)::int as count from webhook_attempts where delivered');
  return rows[0].count;
}
