import { type Static, Type } from 'typebox';
import { EVENT_TYPES, FEED_TYPES } from '../events/index.js';
import {
  Code,
  Instant,
  Model,
  Nullable,
  OneOf,
  OverlapSeconds,
  ShownOnce,
  Strict,
  Text,
} from '../platform/http/index.js';
import { namedCodes } from './code-filter.rules.js';
import { OWNER_KINDS } from './owner.js';
import { DELIVERY_STATUSES, DISABLED_REASONS, WEBHOOK_STATUSES, type Webhook } from './webhook.js';

const CallbackUrl = () =>
  Type.String({
    minLength: 1,
    maxLength: 2048,
    description: 'HTTPS, and reachable from the public internet.',
    examples: ['https://partner.example/hooks'],
  });
const EventTypes = () =>
  Type.Array(OneOf(EVENT_TYPES), { minItems: 1, maxItems: EVENT_TYPES.length, uniqueItems: true });
const Secret = () =>
  Type.String({
    minLength: 16,
    maxLength: 128,
    pattern: '^[\\x20-\\x7e]+$',
    description: 'Signs the pushes; generated when omitted.',
  });
const CODES_MAX = 200;
const Codes = () => Type.Array(Code(), { minItems: 1, maxItems: CODES_MAX, uniqueItems: true });
const CodesFilter = Model(
  'WebhookFilter',
  {
    customerCodes: Type.Optional(Codes()),
    warehouses: Type.Optional(Codes()),
    productCodes: Type.Optional(Codes()),
  },
  {
    additionalProperties: false,
    description:
      'Only events that concern one of the codes of each list are pushed. A code need not exist yet. The webhook guide says which ' +
      'codes the events of each type concern.',
  },
);
const HEADERS_MAX = 10;
const Headers = () =>
  Type.Unsafe<Record<string, string>>(
    Type.Object(
      {},
      {
        additionalProperties: Type.String({
          minLength: 1,
          maxLength: 1024,
          // Printable ASCII that neither begins nor ends with a space.
          pattern: '^[\\x21-\\x7e]([\\x20-\\x7e]*[\\x21-\\x7e])?$',
        }),
        maxProperties: HEADERS_MAX,
        description:
          'Sent with every push. Stored sealed and never shown again. They replace all that were there before.',
        examples: [{ 'X-Env': 'prod' }],
      },
    ),
  );
const Description = () => Nullable(Text(200));

export const WebhookBody = Strict({
  callbackUrl: CallbackUrl(),
  eventTypes: EventTypes(),
  filter: Type.Optional(Nullable(CodesFilter)),
  headers: Type.Optional(Headers()),
  secret: Type.Optional(Secret()),
  description: Type.Optional(Description()),
});

export const WebhookPatch = Strict({
  callbackUrl: Type.Optional(CallbackUrl()),
  eventTypes: Type.Optional(EventTypes()),
  filter: Type.Optional(Nullable(CodesFilter)),
  headers: Type.Optional(Headers()),
  description: Type.Optional(Description()),
  status: Type.Optional(OneOf(WEBHOOK_STATUSES)),
});

export const RotationBody = Strict({
  overlapSeconds: OverlapSeconds(),
  secret: Type.Optional(Secret()),
});

const OwnerView = Model('WebhookOwner', {
  kind: OneOf(OWNER_KINDS),
  id: Nullable(Type.String({ description: 'Id of the key, the OAuth client or the person.' })),
  name: Nullable(Type.String({ description: 'Name of the key or client, or e-mail of the person.' })),
  onBehalfOf: Nullable(
    Type.String({ description: 'E-mail of the person for whom the OAuth client created the webhook.' }),
  ),
});

export const WebhookView = Model('Webhook', {
  webhookId: Type.String(),
  callbackUrl: Type.String(),
  eventTypes: Type.Array(OneOf(EVENT_TYPES)),
  filter: Nullable(CodesFilter),
  headerNames: Type.Array(Type.String(), {
    description:
      'Names of the headers that pushes carry besides those of every push. Their values are never shown.',
  }),
  description: Nullable(Type.String()),
  customerCode: Nullable(
    Type.String({
      description:
        "Set when a credential bound to a customer created the webhook: it receives only that customer's events.",
    }),
  ),
  owner: OwnerView,
  status: OneOf(WEBHOOK_STATUSES),
  disabledReason: Nullable(OneOf(DISABLED_REASONS)),
  disabledAt: Nullable(Instant()),
  consecutiveFailures: Type.Integer(),
  failingSince: Nullable(Instant('When the first of the consecutive failed pushes failed.')),
  missedSince: Nullable(
    Instant('When the oldest failed or skipped event happened. Recover from then on to resend all of them.'),
  ),
  secretOverlapUntil: Nullable(Instant('Until then pushes carry the signatures of both secrets.')),
  createdBy: Type.String(),
  createdAt: Instant(),
  updatedAt: Instant(),
});

const iso = (at: Date | null): string | null => at?.toISOString() ?? null;

export const toWebhookView = (w: Webhook): Static<typeof WebhookView> => ({
  webhookId: w.webhookId,
  callbackUrl: w.callbackUrl,
  eventTypes: w.eventTypes as Static<typeof WebhookView>['eventTypes'],
  filter: namedCodes(w.filter),
  headerNames: w.headerNames,
  description: w.description,
  customerCode: w.customerCode,
  owner: w.owner,
  status: w.status,
  disabledReason: w.disabledReason,
  disabledAt: iso(w.disabledAt),
  consecutiveFailures: w.consecutiveFailures,
  failingSince: iso(w.failingSince),
  missedSince: iso(w.missedSince),
  secretOverlapUntil: iso(w.overlapUntil),
  createdBy: w.createdBy,
  createdAt: w.createdAt.toISOString(),
  updatedAt: w.updatedAt.toISOString(),
});

export const SecretView = Model('WebhookSecret', {
  ...WebhookView.properties,
  secret: ShownOnce(),
  standardWebhooksSecret: ShownOnce('The secret as Standard Webhooks libraries take it.'),
});

const AttemptView = Model('PushAttempt', {
  at: Instant(),
  status: Nullable(Type.Integer({ description: 'HTTP status of the response.' })),
  durationMs: Type.Integer(),
  error: Nullable(Type.String({ description: 'Why there was no usable response, as a stable code.' })),
  responseExcerpt: Nullable(Type.String()),
});

export const DeliveryView = Model('WebhookDelivery', {
  deliveryId: Type.String(),
  eventId: Type.String(),
  eventType: OneOf(FEED_TYPES),
  occurredAt: Instant(),
  status: OneOf(DELIVERY_STATUSES),
  nextAttemptAt: Nullable(Instant()),
  attempts: Type.Array(AttemptView),
});

export const TestView = Model('WebhookTest', {
  eventId: Type.String(),
  eventType: OneOf(EVENT_TYPES),
  delivered: Type.Boolean({ description: 'A 2xx status arrived before the time-out.' }),
  ...AttemptView.properties,
});

export const RecoverBody = Strict({
  since: Instant('Failed and skipped events from this time on are sent again.'),
  dryRun: Type.Optional(Type.Boolean({ description: 'Only count the events.' })),
});
export const RecoveryView = Model('WebhookRecovery', {
  dryRun: Type.Boolean(),
  failed: Type.Integer(),
  skipped: Type.Integer(),
  total: Type.Integer(),
});

export const CompletenessView = Model('WebhookCompleteness', {
  from: Instant(),
  to: Instant(),
  matched: Type.Integer({ description: 'Events of the period that the webhook was subscribed to.' }),
  delivered: Type.Integer(),
  pending: Type.Integer(),
  failed: Type.Integer(),
  skipped: Type.Integer(),
  missingEventIds: Type.Array(Type.String(), {
    description: 'Failed and skipped events, oldest first; at most 10,000.',
  }),
});

export const HealthView = Model('Health', {
  status: OneOf(WEBHOOK_STATUSES),
  consecutiveFailures: Type.Integer({ description: 'Consecutive pushes that failed after all retries.' }),
  disabledAfter: Type.Integer({ description: 'This many consecutive failures disable the webhook.' }),
  waiting: Type.Integer({ description: 'Pushes not made yet or to be retried; counted up to 10,000.' }),
  oldestWaitingAt: Nullable(Instant()),
  recentAttempts: Type.Integer({
    description: 'How many of the latest attempts the following figures cover.',
  }),
  successRate: Nullable(
    Type.Number({ description: 'Share of the recent attempts that succeeded, from 0 to 1.' }),
  ),
  medianMs: Nullable(Type.Integer()),
  p95Ms: Nullable(Type.Integer()),
});
