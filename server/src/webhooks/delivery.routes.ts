import { Type } from 'typebox';
import { EVENT_CATALOGUE, FEED_TYPES, type FeedType, findSubjects, numberNow } from '../events/index.js';
import { type Database, transact } from '../platform/database/index.js';
import {
  AnyOf,
  forbidden,
  Instant,
  invalid,
  listRoute,
  type Route,
  readRoute,
  SearchText,
  Strict,
  Text,
  writeRoute,
} from '../platform/http/index.js';
import { type LoggedDelivery, listDeliveries, readCompleteness, readHealth } from './delivery-log.store.js';
import { readWebhook } from './load-webhook.js';
import { readEventBody } from './matched.store.js';
import { readDelivery, recover, redeliver } from './redeliver.js';
import { DELIVERY_STATUSES, deliveryIdOf, type PushPolicy } from './webhook.js';
import { CompletenessView, DeliveryView, HealthView, RecoverBody, RecoveryView } from './webhook.schemas.js';

const ById = Strict({ webhookId: Text(64) });
const ByBoth = Strict({ webhookId: Text(64), deliveryId: Text(64) });
const facts = { tag: 'Webhooks', boundCredentials: 'allowed' } as const;

/** The delivery log, and sending events again. */
export const deliveryRoutes = (options: { database: Database; policy: PushPolicy }): Route[] => [
  ...logRoutes(options.database),
  ...reportRoutes(options),
  ...againRoutes(options.database),
];

function logRoutes(database: Database): Route[] {
  return [
    listRoute({
      ...facts,
      operationId: 'listWebhookDeliveries',
      path: '/v2/webhooks/:webhookId/deliveries',
      scope: 'webhooks:read',
      summary: 'List the pushes of a webhook with all attempts, newest first',
      params: ById,
      filters: {
        status: Type.Optional(AnyOf(DELIVERY_STATUSES)),
        eventType: Type.Optional(AnyOf(FEED_TYPES)),
        eventId: Type.Optional(Text(64)),
        q: SearchText('the number, name or code of what the event is about, or of its customer'),
      },
      item: DeliveryView,
      list: 'deliveries',
      key: (delivery: LoggedDelivery) => String(delivery.position),
      view: (delivery: LoggedDelivery, { webhookId }) => toDeliveryView(webhookId, delivery),
      readRows: async ({ principal, params, filter: { q, ...filter }, after, rowsMax }) => {
        const before = positionOf(after);
        await numberNow(database, principal.orgId);
        const subjects = await findSubjects(database, principal, q);
        return transact(database, principal, async (tx) => {
          await readWebhook(tx, principal, params.webhookId);
          return listDeliveries(tx, params.webhookId, { ...filter, subjects }, before, rowsMax);
        });
      },
    }),
    readRoute({
      ...facts,
      operationId: 'getWebhookDelivery',
      path: '/v2/webhooks/:webhookId/deliveries/:deliveryId',
      scope: 'webhooks:read',
      summary: 'Read a push with its event',
      description: 'Also needs the scope of the event type.',
      params: ByBoth,
      data: Type.Object({
        ...DeliveryView.properties,
        event: Type.Unsafe<object>(Type.Object({}, { additionalProperties: true })),
      }),
      async read({ principal, params }) {
        const { delivery, body } = await transact(database, principal, async (tx) => {
          await readWebhook(tx, principal, params.webhookId);
          const found = await readDelivery(tx, params.webhookId, params.deliveryId);
          return { delivery: found, body: await readEventBody(tx, found.position) };
        });
        const area = EVENT_CATALOGUE[delivery.eventType as FeedType].scope;
        if (!principal.scopes.has(area)) throw forbidden('scope_missing', `needs ${area}`);
        return { ...toDeliveryView(params.webhookId, delivery), event: JSON.parse(body) as object };
      },
    }),
  ];
}

function reportRoutes({ database, policy }: { database: Database; policy: PushPolicy }): Route[] {
  return [
    readRoute({
      ...facts,
      operationId: 'getWebhookCompleteness',
      path: '/v2/webhooks/:webhookId/completeness',
      scope: 'webhooks:read',
      summary: 'Read the proof of completeness',
      description:
        'The outcome of all events from `from` until before `to` that the webhook was subscribed to at the time. Computed ' +
        'from the events and the subscription history, independently of the pushes.',
      params: ById,
      query: Strict({ from: Instant(), to: Instant() }),
      data: CompletenessView,
      async read({ principal, params, query }) {
        const [from, to] = [new Date(query.from), new Date(query.to)];
        if (to < from) throw invalid('out_of_range', 'to', 'must not be before `from`');
        await numberNow(database, principal.orgId);
        const report = await transact(database, principal, async (tx) => {
          await readWebhook(tx, principal, params.webhookId);
          return readCompleteness(tx, params.webhookId, from, to);
        });
        return { from: from.toISOString(), to: to.toISOString(), ...report };
      },
    }),
    readRoute({
      ...facts,
      operationId: 'getWebhookHealth',
      path: '/v2/webhooks/:webhookId/health',
      scope: 'webhooks:read',
      summary: 'Read the health of a webhook: backlog, success rate and durations',
      params: ById,
      data: HealthView,
      async read({ principal, params }) {
        await numberNow(database, principal.orgId);
        return transact(database, principal, async (tx) => {
          const { status, consecutiveFailures } = await readWebhook(tx, principal, params.webhookId);
          const health = await readHealth(tx, params.webhookId);
          const oldestWaitingAt = health.oldestWaitingAt?.toISOString() ?? null;
          const { disableAfter: disabledAfter } = policy;
          return { status, consecutiveFailures, disabledAfter, ...health, oldestWaitingAt };
        });
      },
    }),
  ];
}

function againRoutes(database: Database): Route[] {
  const scope = 'webhooks:write';
  return [
    writeRoute({
      ...facts,
      method: 'POST',
      operationId: 'redeliverWebhookDelivery',
      path: '/v2/webhooks/:webhookId/deliveries/:deliveryId/redeliver',
      scope,
      summary: 'Redeliver one event now',
      description: 'Possible in any status. A failure changes nothing and never counts as a failed push.',
      params: ByBoth,
      body: Strict({}),
      data: DeliveryView,
      prefetch: ({ principal }) => numberNow(database, principal.orgId),
      execute: async (tx, { principal, params }) =>
        toDeliveryView(params.webhookId, await redeliver(tx, principal, params.webhookId, params.deliveryId)),
    }),
    writeRoute({
      ...facts,
      method: 'POST',
      operationId: 'recoverWebhook',
      path: '/v2/webhooks/:webhookId/recover',
      scope,
      summary: 'Recover failed and skipped pushes since an instant',
      description:
        'With `dryRun`, events are only counted. They are sent in their order, up to 100 per second, with all retries.',
      params: ById,
      body: RecoverBody,
      data: RecoveryView,
      prefetch: ({ principal }) => numberNow(database, principal.orgId),
      execute: (tx, { principal, params, body }) =>
        recover(tx, principal, params.webhookId, {
          since: new Date(body.since),
          dryRun: body.dryRun ?? false,
        }),
    }),
  ];
}

const toDeliveryView = (webhookId: string, delivery: LoggedDelivery) => ({
  deliveryId: deliveryIdOf(webhookId, delivery.eventId),
  eventId: delivery.eventId,
  eventType: delivery.eventType as FeedType,
  occurredAt: delivery.occurredAt.toISOString(),
  status: delivery.status,
  nextAttemptAt: delivery.nextAttemptAt?.toISOString() ?? null,
  attempts: delivery.attempts.map(({ at, status, durationMs, error, responseExcerpt }) => ({
    at: at.toISOString(),
    status,
    durationMs,
    error,
    responseExcerpt,
  })),
});

function positionOf(text: string | null): number | null {
  if (text === null) return null;
  const position = Number(text);
  if (!Number.isSafeInteger(position) || position < 0) throw invalid('bad_cursor', 'cursor');
  return position;
}
