import { Type } from 'typebox';
import { recordAudit } from '../audit/index.js';
import { EVENT_TYPES, numberNow } from '../events/index.js';
import { findMatches } from '../indexing/index.js';
import { type Database, transact } from '../platform/database/index.js';
import {
  listRoute,
  OneOf,
  type Route,
  readRoute,
  SearchText,
  Strict,
  TaskFilter,
  Text,
  writeRoute,
} from '../platform/http/index.js';
import {
  type CallbackRefusal,
  judgeCallbackUrl,
  lookUpCallbackHost,
} from '../platform/outbound-http/index.js';
import { OVERLAP_SECONDS_DEFAULT, type SecretBox } from '../platform/secrets/index.js';
import { adoptWebhook } from './adopt-webhook.js';
import { requireAreas } from './areas.js';
import { changeWebhook, deleteWebhook, enableWebhook, rotateSecret } from './change-webhook.js';
import { filterFrom } from './code-filter.rules.js';
import { createWebhook } from './create-webhook.js';
import { deliveryRoutes } from './delivery.routes.js';
import { requireSendable } from './header.rules.js';
import { readWebhook } from './load-webhook.js';
import type { Outbound } from './outbound.js';
import { ownerOf } from './owner.js';
import { standardFormOf } from './signing.js';
import { prepareStock } from './stock-pushes/follow-stock.js';
import { sendTest, type TestPush } from './test-webhook.js';
import { refuseWebhook } from './webhook.errors.js';
import type { PushPolicy, Webhook } from './webhook.js';
import {
  RotationBody,
  SecretView,
  TestView,
  toWebhookView,
  WebhookBody,
  WebhookPatch,
  WebhookView,
} from './webhook.schemas.js';
import { listWebhooks } from './webhook.store.js';

export interface WebhookRouteOptions {
  database: Database;
  box: SecretBox;
  outbound: Outbound;
  policy: PushPolicy;
}

const ById = Strict({ webhookId: Text(64) });
const facts = { tag: 'Webhooks', boundCredentials: 'allowed' } as const;
const scope = 'webhooks:write';

export const webhookRoutes = (options: WebhookRouteOptions): Route[] => [
  ...readRoutes(options.database),
  ...writeRoutes(options),
  ...statusRoutes(options),
  ...secretRoutes(options),
  ...deliveryRoutes(options),
];

function readRoutes(database: Database): Route[] {
  return [
    listRoute({
      ...facts,
      operationId: 'listWebhooks',
      path: '/v2/webhooks',
      scope: 'webhooks:read',
      summary: 'List webhooks, newest first',
      item: WebhookView,
      list: 'webhooks',
      filters: {
        q: SearchText('the description or URL'),
        owner: Type.Optional(Text(64, 'Id of a key, an OAuth client or a person, or `organization`.')),
        task: TaskFilter(['webhooks_disabled']),
      },
      key: (webhook) => webhook.webhookId,
      updatedAt: (webhook) => webhook.updatedAt,
      sorts: { createdAt: null },
      isCounted: true,
      view: toWebhookView,
      readRows: async ({ principal, filter: { q, ...filter }, page }) => {
        await numberNow(database, principal.orgId);
        const matches = await findMatches(database, principal.orgId, q, ['webhook']);
        return transact(database, principal, (tx) =>
          listWebhooks(tx, { ...filter, customerCode: principal.boundTo, matches }, page),
        );
      },
    }),
    readRoute({
      ...facts,
      operationId: 'getWebhook',
      path: '/v2/webhooks/:webhookId',
      scope: 'webhooks:read',
      summary: 'Read a webhook',
      params: ById,
      data: WebhookView,
      async read({ principal, params }) {
        // An event that was missed just now has no position in the feed yet.
        await numberNow(database, principal.orgId);
        return toWebhookView(
          await transact(database, principal, (tx) => readWebhook(tx, principal, params.webhookId)),
        );
      },
    }),
  ];
}

function writeRoutes({ database, box, outbound, policy }: WebhookRouteOptions): Route[] {
  const judge = (orgId: string, callbackUrl: string) => judgeCallback(outbound, orgId, callbackUrl);
  return [
    writeRoute({
      ...facts,
      method: 'POST',
      operationId: 'createWebhook',
      path: '/v2/webhooks',
      scope,
      summary: 'Create a webhook',
      description: 'Events that happen from now on are pushed. The secret is shown only in this response.',
      body: WebhookBody,
      data: SecretView,
      showsSecret: true,
      async prefetch({ principal, body }) {
        requireAreas(principal, body.eventTypes);
        requireSendable(body.headers ?? {}, policy.headerPrefix);
        await numberNow(database, principal.orgId);
        await prepareStock(database, principal, body.eventTypes);
        return judge(principal.orgId, body.callbackUrl);
      },
      async execute(tx, { principal, body }, judged) {
        const { webhook, secret } = await createWebhook(tx, box, {
          callbackUrl: accepted(judged),
          eventTypes: body.eventTypes,
          filter: filterFrom(body.filter),
          headers: body.headers ?? {},
          description: body.description ?? null,
          customerCode: principal.boundTo,
          owner: ownerOf(principal),
          secret: body.secret,
        });
        return secretView(webhook, secret);
      },
    }),
    writeRoute({
      ...facts,
      method: 'PATCH',
      operationId: 'changeWebhook',
      path: '/v2/webhooks/:webhookId',
      scope,
      summary: 'Update a webhook',
      description:
        'Omitted fields keep their values. `status: "disabled"` disables the webhook: waiting pushes are skipped.',
      params: ById,
      body: WebhookPatch,
      data: WebhookView,
      async prefetch({ principal, body }) {
        requireAreas(principal, body.eventTypes ?? []);
        requireSendable(body.headers ?? {}, policy.headerPrefix);
        await numberNow(database, principal.orgId);
        await prepareStock(database, principal, body.eventTypes);
        return body.callbackUrl === undefined ? null : judge(principal.orgId, body.callbackUrl);
      },
      async execute(tx, { principal, params, body }, judged) {
        const callbackUrl = judged === null ? undefined : accepted(judged);
        const filter = body.filter === undefined ? undefined : filterFrom(body.filter);
        const change = { ...body, filter, callbackUrl };
        return toWebhookView(await changeWebhook(tx, box, principal, params.webhookId, change));
      },
    }),
  ];
}

function statusRoutes({ database }: WebhookRouteOptions): Route[] {
  return [
    writeRoute({
      ...facts,
      method: 'DELETE',
      operationId: 'removeWebhook',
      path: '/v2/webhooks/:webhookId',
      scope,
      summary: 'Delete a webhook',
      params: ById,
      data: WebhookView,
      execute: async (tx, { principal, params }) =>
        toWebhookView(await deleteWebhook(tx, principal, params.webhookId)),
    }),
    writeRoute({
      ...facts,
      method: 'POST',
      operationId: 'enableWebhook',
      path: '/v2/webhooks/:webhookId/enable',
      scope,
      summary: 'Enable a webhook',
      description: 'Resets the failure count. Missed events stay skipped until you recover them.',
      params: ById,
      body: Strict({}),
      data: WebhookView,
      prefetch: ({ principal }) => numberNow(database, principal.orgId),
      execute: async (tx, { principal, params }) =>
        toWebhookView(await enableWebhook(tx, principal, params.webhookId)),
    }),
    writeRoute({
      ...facts,
      method: 'POST',
      operationId: 'adoptWebhook',
      path: '/v2/webhooks/:webhookId/adopt',
      scope,
      summary: 'Adopt a webhook',
      description:
        'You become its owner. One that was disabled because its owner ended (`owner_ended`) is enabled again; missed ' +
        'events stay skipped until you recover them. Also needs the scope of every area it sends.',
      params: ById,
      body: Strict({}),
      data: WebhookView,
      prefetch: ({ principal }) => numberNow(database, principal.orgId),
      execute: async (tx, { principal, params }) =>
        toWebhookView(await adoptWebhook(tx, principal, params.webhookId)),
    }),
  ];
}

function secretRoutes(options: WebhookRouteOptions): Route[] {
  const { box } = options;
  return [
    writeRoute({
      ...facts,
      method: 'POST',
      operationId: 'rotateWebhookSecret',
      path: '/v2/webhooks/:webhookId/rotate-secret',
      scope,
      summary: 'Rotate the secret of a webhook',
      description:
        'During the overlap, pushes have signatures of both secrets. The secret is shown only in this response.',
      params: ById,
      body: RotationBody,
      data: SecretView,
      showsSecret: true,
      async execute(tx, { principal, params, body }) {
        const { overlapSeconds = OVERLAP_SECONDS_DEFAULT, secret } = body;
        const input = { overlapSeconds, secret };
        const rotated = await rotateSecret(tx, box, principal, params.webhookId, input);
        return secretView(rotated.webhook, rotated.secret);
      },
    }),
    writeRoute({
      ...facts,
      method: 'POST',
      operationId: 'testWebhook',
      path: '/v2/webhooks/:webhookId/test',
      scope,
      summary: 'Push a sample event and return the response of the endpoint',
      description:
        'The event has a subscribed type and is marked as a test. It appears in no feed, count or log.',
      params: ById,
      body: Strict({ eventType: Type.Optional(OneOf(EVENT_TYPES)) }),
      data: TestView,
      prefetch: ({ principal, params, body }) =>
        sendTest(options, principal, params.webhookId, body.eventType),
      async execute(tx, { params }, test) {
        const view = toTestView(test);
        await recordAudit(tx, {
          action: 'webhook.test',
          entityType: 'webhook',
          entityId: params.webhookId,
          after: view,
        });
        return view;
      },
    }),
  ];
}

const secretView = (webhook: Webhook, secret: string) => ({
  ...toWebhookView(webhook),
  secret,
  standardWebhooksSecret: standardFormOf(secret),
});

const toTestView = ({ eventId, eventType, at, attempt }: TestPush) => ({
  eventId,
  eventType,
  delivered: attempt.delivered,
  at: at.toISOString(),
  status: attempt.status,
  durationMs: Math.round(attempt.durationMs),
  error: attempt.error,
  responseExcerpt: attempt.responseExcerpt,
});

/** Prefetched before the transaction, which decides whether it is a refusal. */
type Judgement = { url: URL } | CallbackRefusal;

async function judgeCallback(outbound: Outbound, orgId: string, text: string): Promise<Judgement> {
  const { policy, lookUp } = await outbound.forOrganization(orgId);
  const judged = judgeCallbackUrl(text, policy);
  if (!('url' in judged)) return judged;
  return (await lookUpCallbackHost(judged.url, policy, lookUp, orgId)) ?? judged;
}

const REASONS: Partial<Record<CallbackRefusal['problem'], Parameters<typeof refuseWebhook>[0]>> = {
  not_https: 'callback_not_https',
  not_public: 'callback_not_public',
  port_blocked: 'callback_port_blocked',
};

function accepted(judged: Judgement): string {
  if ('url' in judged) return judged.url.href;
  throw refuseWebhook(REASONS[judged.problem] ?? 'callback_not_a_url', '/callbackUrl', judged.message);
}
