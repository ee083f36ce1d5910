import { expect } from 'vitest';
import { loadDemo } from '../../src/demo/index.js';
import { newClient, userTokens } from '../access/oauth-world.js';
import { enter, newPerson, openBrowser, PASSWORD } from '../access/people.js';
import { toLoopback } from '../access/pushes.js';
import { openWorld, type World } from '../access/world.js';
import { eventIdsOf, newSession, openReceiver, startWorker } from '../harness/index.js';

/** Users of an installation know this of it, and after an upgrade all of it still holds. */
export interface Known {
  /** The instant at which it was stopped. */
  at: string;
  organizations: {
    code: string;
    orgId: string;
    key: string;
    /** Paths of the API and the data of their responses. */
    answers: Record<string, unknown>;
  }[];
  person: { email: string; password: string; totpSecret: string; recoveryCodes: string[] };
  /** Signed in when it was stopped. */
  session: { cookie: string; email: string };
  client: { clientId: string; clientSecret: string };
  refreshToken: string;
  webhook: { webhookId: string; secret: string; request: object; idempotencyKey: string };
  /** Events that were not pushed yet, and those whose first push failed. */
  pendingEvents: string[];
  failedEvents: string[];
}

const PATHS = [
  '/v2/settings',
  '/v2/settings/users?limit=200',
  '/v2/settings/keys?limit=200',
  '/v2/settings/clients?limit=200',
  '/v2/products?limit=50',
  '/v2/partners?limit=50',
  '/v2/warehouses?limit=50',
  '/v2/orders?limit=50',
  '/v2/receipts?limit=50',
  '/v2/dispatches?limit=50',
  '/v2/certificates?limit=50',
  '/v2/recalls?limit=50',
  '/v2/environment/points?limit=50',
  '/v2/environment/alerts?limit=50',
  '/v2/webhooks?limit=50',
];

/** The demo has too much of the rest for a small fixture; its rows are compared anyway. */
const PATHS_OF_DEMO = PATHS.slice(0, 4);

/** Fills an empty installation with the demo and a bit of everything. */
export async function fillInstallation(): Promise<{ world: World; known: Known }> {
  const world = await openWorld();
  const { db, api, organization } = world;
  await makeDocuments(world);
  const demo = await loadDemo(db.database, {
    adminEmails: ['admin@demo.example'],
    keysFile: null,
    onProgress: () => {},
  });
  const admin = await newPerson(db, organization, 'admin');
  const browser = openBrowser(api.url);
  const { secret: totpSecret, recoveryCodes } = await enter(browser, admin, db.clock.now);
  const session = await newSession(db, organization.organization.orgId);
  const client = await newClient(db, organization);
  const tokens = await userTokens(api, client, session);
  const pushes = await pushAndFail(world);
  // Its mail waits, sealed.
  const invitation = { email: 'invited@okapi.example', role: 'viewer' };
  const invited = await browser.call('POST', '/v2/settings/users', invitation);
  expect(invited.status, invited.text).toBe(200);
  const keys = [
    [organization.organization, organization.key],
    [world.other.organization, world.other.key],
    [demo.organization, demo.keys[0]?.apiKey ?? ''],
  ] as const;
  const organizations: Known['organizations'] = [];
  for (const [{ code, orgId }, key] of keys) {
    const answers: Record<string, unknown> = {};
    for (const path of orgId === demo.organization.orgId ? PATHS_OF_DEMO : PATHS) {
      const answer = await api.call('GET', path, undefined, key);
      expect(answer.status, answer.text).toBe(200);
      answers[path] = answer.data;
    }
    organizations.push({ code, orgId, key, answers });
  }
  return {
    world,
    known: {
      at: db.clock.now().toISOString(),
      organizations,
      person: { email: admin.email, password: PASSWORD, totpSecret: totpSecret ?? '', recoveryCodes },
      session: { cookie: session.headers.cookie, email: session.email },
      client,
      refreshToken: tokens.refresh,
      ...pushes,
    },
  };
}

async function makeDocuments({ make }: World): Promise<void> {
  for (const state of ['pending', 'held', 'approved', 'short', 'partial'] as const) await make.order(state);
  for (const state of ['picking', 'rechecking', 'dispatched'] as const) await make.dispatch(state);
  for (const state of ['active', 'suspended'] as const) await make.certificate(state);
  await make.receipt();
  await make.alert();
  await make.recall();
}

/** A webhook with pushes that failed and wait for their retry, and with events that happened after the worker stopped. */
async function pushAndFail({ db, api, organization, make }: World) {
  const { key } = organization;
  const { orgId } = organization.organization;
  const receiver = await openReceiver();
  receiver.answer = () => 500;
  const request = { callbackUrl: receiver.url('/failing'), eventTypes: ['order.status_changed'] };
  const idempotencyKey = 'the webhook of the fixture';
  const orderEvents = async () => {
    const rows = await db.sql<{ id: string }>(
      `select event_id as id from events where org_id = $1 and event_type = 'order.status_changed'`,
      [orgId],
    );
    return rows.map(({ id }) => id);
  };
  const before = new Set(await orderEvents());
  const created = await api.call<{ webhookId: string; secret: string }>(
    'POST',
    '/v2/webhooks',
    request,
    key,
    { 'idempotency-key': idempotencyKey },
  );
  expect(created.status, created.text).toBe(200);
  const worker = await startWorker(db, { webhooks: toLoopback });
  await make.order('approved');
  const unsettled = async () => [
    (await db.sql('select 1 from audit_entries where position is null')).length,
    (await db.sql('select 1 from mails where due_at is not null')).length,
    (await db.sql(`select 1 from webhook_deliveries where status = 'retrying'`)).length > 0,
  ];
  await expect.poll(unsettled, { timeout: 300_000 }).toEqual([0, 0, true]);
  await worker.stop();
  await receiver.close();
  const failedEvents = [...new Set(eventIdsOf(receiver.at('/failing')))];
  await make.order('partial');
  const pendingEvents = (await orderEvents()).filter((id) => !before.has(id) && !failedEvents.includes(id));
  const { webhookId, secret } = created.data;
  return { webhook: { webhookId, secret, request, idempotencyKey }, pendingEvents, failedEvents };
}
