import { expect } from 'vitest';
import type { WorkerOptions } from '../../src/app/worker.js';
import { type Answer, newOrganization, startApi, type TestApi, type TestOrganization } from './api.js';
import { openTestDatabase, type TestDatabase } from './database.js';
import { openReceiver, type Reception, type Reply } from './receiver.js';
import { type Happening, happen, LOCAL_WEBHOOKS, startWorker } from './worker.js';

interface Attempted {
  at: string;
  status: number | null;
  durationMs: number;
  error: string | null;
  responseExcerpt: string | null;
}
export interface Delivered {
  deliveryId: string;
  eventId: string;
  eventType: string;
  occurredAt: string;
  status: string;
  nextAttemptAt: string | null;
  attempts: Attempted[];
}
export interface WebhookData {
  webhookId: string;
  callbackUrl: string;
  eventTypes: string[];
  filter: Record<string, string[]> | null;
  headerNames: string[];
  description: string | null;
  customerCode: string | null;
  owner: { kind: string; id: string | null; name: string | null; onBehalfOf: string | null };
  status: string;
  disabledReason: string | null;
  disabledAt: string | null;
  consecutiveFailures: number;
  failingSince: string | null;
  missedSince: string | null;
  secretOverlapUntil: string | null;
  createdBy: string;
  createdAt: string;
  updatedAt: string;
  secret: string;
  standardWebhooksSecret: string;
}
export interface CompletenessData {
  matched: number;
  delivered: number;
  pending: number;
  failed: number;
  skipped: number;
  missingEventIds: string[];
}

const WAIT_MS = 60_000;
const polled = { timeout: WAIT_MS, interval: 50 };
let hooks = 0;

/** Database, server, worker and a partner's endpoint: everything a push goes through. */
export async function openPushWorld(
  options: { webhooks?: Partial<WorkerOptions['webhooks']>; worker?: Partial<WorkerOptions> } = {},
) {
  const webhooks = { ...LOCAL_WEBHOOKS, ...options.webhooks };
  const db = await openTestDatabase();
  const api = await startApi(db.database, { webhooks });
  const receiver = await openReceiver();
  const worker = await startWorker(db, { ...options.worker, webhooks });
  const answers = new Map<string, (push: Reception) => Reply>();
  receiver.answer = (push) => answers.get(push.path)?.(push) ?? 204;

  /** A webhook with an endpoint of its own, in an organization of its own unless one is given. */
  async function subscribe(
    input: {
      eventTypes?: string[];
      url?: string;
      org?: TestOrganization;
      key?: string;
      secret?: string;
      filter?: object;
      headers?: object;
    } = {},
  ) {
    const org = input.org ?? (await newOrganization(db));
    const key = input.key ?? org.key;
    const { orgId } = org.organization;
    const path = `/hook/${++hooks}`;
    const body = {
      callbackUrl: input.url ?? receiver.url(path),
      eventTypes: input.eventTypes ?? ['order.status_changed'],
      filter: input.filter ?? null,
      headers: input.headers ?? {},
      ...(input.secret === undefined ? {} : { secret: input.secret }),
    };
    const created = await api.call<WebhookData>('POST', '/v2/webhooks', body, key);
    expect(created.status, created.text).toBe(200);
    const { webhookId, secret } = created.data;
    const answer = (reply: Reply | ((push: Reception) => Reply)) => {
      answers.set(path, typeof reply === 'function' ? reply : () => reply);
    };
    return {
      ...configured(api, webhookId, key),
      org,
      orgId,
      key,
      path,
      webhookId,
      secret,
      /** Sets the endpoint's response from now on. */
      answer,
      pushes: () => receiver.at(path),
      expectPushes: (count: number) => receiver.expectPushes(count, path),
      happen: (...happenings: Happening[]) => happen(db, orgId, ...happenings),
    };
  }

  return {
    db,
    api,
    receiver,
    worker,
    clock: db.clock,
    subscribe,
    /** Gives the webhook to a holder that this world does not run. */
    leaseTo: (hook: Leased, lease: Lease) => leaseTo(db, hook, lease),
    async close() {
      await worker.stop();
      await api.close();
      await receiver.close();
      await db.close();
    },
  };
}

interface Leased {
  orgId: string;
  webhookId: string;
}
interface Lease {
  token: string;
  owner: string;
  seconds: number;
}

/** In two statements: a cluster takes no time of the database in an update. */
async function leaseTo(
  db: TestDatabase,
  { orgId, webhookId }: Leased,
  { token, owner, seconds }: Lease,
): Promise<void> {
  const [now] = await db.sql<{ incarnation: string; until: Date }>(
    `select incarnation() as incarnation, clock_timestamp() + $1 * interval '1 second' as until`,
    [seconds],
  );
  await db.sql(
    'update webhook_states set lease_token = $3, lease_owner = $4, leased_until = $5 where org_id = $1 and webhook_id = $2',
    [orgId, webhookId, `${token} ${now?.incarnation}`, owner, now?.until],
  );
}

/** One webhook, called through the API. */
function configured(api: TestApi, webhookId: string, key: string) {
  const call = <D = WebhookData>(method: string, under = '', sent?: unknown): Promise<Answer<D>> =>
    api.call<D>(method, `/v2/webhooks/${webhookId}${under}`, sent, key);
  const must = async <D = WebhookData>(method: string, under = '', sent?: unknown): Promise<D> => {
    const answer = await call<D>(method, under, sent);
    expect(answer.status, answer.text).toBe(200);
    return answer.data;
  };
  const log = async (query = ''): Promise<Delivered[]> =>
    (await must<{ items: Delivered[] }>('GET', `/deliveries?limit=200${query}`)).items;
  return {
    call,
    must,
    log,
    read: () => must('GET'),
    /** Waits until the log shows these statuses of its pushes, oldest first. */
    async expectStatuses(statuses: readonly string[]): Promise<Delivered[]> {
      const oldestFirst = async () => (await log()).reverse();
      await expect.poll(async () => (await oldestFirst()).map((d) => d.status), polled).toEqual(statuses);
      return oldestFirst();
    },
    /** Waits until so many attempts of one push, the oldest, are written down. */
    async expectAttempts(count: number): Promise<Delivered> {
      await expect.poll(async () => (await log()).at(-1)?.attempts.length, polled).toBe(count);
      return (await log()).at(-1) as Delivered;
    },
    async completeness(from = '2020-01-01T00:00:00Z', to = '2100-01-01T00:00:00Z') {
      const data = await must<CompletenessData>('GET', `/completeness?from=${from}&to=${to}`);
      const { matched, delivered, pending, failed, skipped, missingEventIds } = data;
      return { matched, delivered, pending, failed, skipped, missingEventIds };
    },
  };
}

export type PushWorld = Awaited<ReturnType<typeof openPushWorld>>;
export type Subscriber = Awaited<ReturnType<PushWorld['subscribe']>>;

export const eventIdsOf = (pushes: readonly Reception[]): string[] =>
  pushes.map((push) => String(push.headers['webhook-id']));
