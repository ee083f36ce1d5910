import type { CodeFilter } from './code-filter.rules.js';
import type { Owner } from './owner.js';

export const WEBHOOK_STATUSES = ['enabled', 'disabled'] as const;
export type WebhookStatus = (typeof WEBHOOK_STATUSES)[number];

export const DISABLED_REASONS = ['manual', 'consecutive_failures', 'owner_ended'] as const;
export type DisabledReason = (typeof DISABLED_REASONS)[number];

export interface Webhook {
  webhookId: string;
  callbackUrl: string;
  eventTypes: string[];
  /** Limits which of their events are pushed. */
  filter: CodeFilter;
  /** Names of the custom headers that its pushes carry. */
  headerNames: string[];
  description: string | null;
  /** Set when a credential bound to a customer created it: it gets only that customer's events. */
  customerCode: string | null;
  /** The webhook is disabled when its owner ends. */
  owner: Owner;
  status: WebhookStatus;
  disabledReason: DisabledReason | null;
  disabledAt: Date | null;
  consecutiveFailures: number;
  failingSince: Date | null;
  /** When the oldest event happened that failed or was skipped. */
  missedSince: Date | null;
  /** Pushes are signed with both the old and the new secret until then. */
  overlapUntil: Date | null;
  createdBy: string;
  createdAt: Date;
  updatedAt: Date;
}

/** The signing secrets, sealed. */
export interface SealedSecrets {
  secret: string;
  nextSecret: string | null;
  overlapUntil: Date | null;
}

/** Custom headers that its pushes carry: sealed together, with readable names. */
export interface SealedHeaders {
  headers: string | null;
  headerNames: readonly string[];
}

/** The event types and codes subscribed to after a position of the feed. */
export interface Subscription {
  afterPosition: number;
  eventTypes: readonly string[];
  filter: CodeFilter;
}

export const DELIVERY_STATUSES = ['pending', 'retrying', 'delivered', 'failed', 'skipped'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** Only pushes that did not succeed at once are stored. */
type StoredDeliveryStatus = 'retrying' | 'recovering' | 'delivered' | 'failed' | 'skipped';

export interface StoredDelivery {
  position: number;
  status: StoredDeliveryStatus;
  attempts: number;
  tries: number;
  dueAt: Date | null;
  manual: boolean;
  resumeDueAt: Date | null;
}

/** Limits set by the operator. */
export interface PushPolicy {
  timeoutMs: number;
  retryDelaysMs: readonly number[];
  disableAfter: number;
  headerPrefix: string;
}

/** The id of a push joins the event's id and the end of the webhook's id, so that both can be recognized in it. */
export const deliveryIdOf = (webhookId: string, eventId: string): string =>
  `dlv_${eventId.slice(4)}${webhookId.slice(-6)}`;

export function eventIdOf(webhookId: string, deliveryId: string): string | null {
  const eventId = `evt_${deliveryId.slice(4, -6)}`;
  return deliveryId === deliveryIdOf(webhookId, eventId) ? eventId : null;
}

/** Announced after the commit of every change of a webhook's configuration. */
export const WEBHOOKS_TOPIC = 'webhooks';
