export * from '@lotward/udi';
export {
  type ClientOptions,
  createClient,
  type EventPage,
  type FeedOptions,
  type Lotward,
} from './client.js';
export type { ClientCredentials } from './credentials.js';
export { type Issue, LotwardError, NoAnswer } from './errors.js';
export type { EventOf, EventType, LotwardEvent } from './events.js';
export { CURRENCIES, type components, type operations, type paths, SCOPES } from './generated/api.js';
export type { Body, Data, Item, ListPath, Method, PathOf, Query } from './types.js';
export { type ReceivedHeaders, type VerifyOptions, verifyWebhook, WebhookRefused } from './verify-webhook.js';
