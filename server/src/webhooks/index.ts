export { deleteWebhook } from './change-webhook.js';
export { filterFrom, type NamedCodes } from './code-filter.rules.js';
export { createWebhook, newSecret } from './create-webhook.js';
export { type DeliveryLimits, openDelivery } from './delivery/index.js';
export {
  readDeliveryFingerprint,
  readDeliveryOverview,
  readDisabledWebhooks,
} from './delivery-overview.store.js';
export { endWebhooksOf, settleEndedOwners } from './end-owner.js';
export { readFigures, type WebhookFigures } from './figures.store.js';
export { type Outbound, openOutbound } from './outbound.js';
export { ORGANIZATION } from './owner.js';
export { removeOldPushes } from './remove-old-pushes.js';
export { sampleOf } from './samples.rules.js';
export { sealedWebhookHeaders } from './sealed-headers.store.js';
export { sealedWebhookSecrets } from './sealed-secrets.store.js';
export { pushHeaders, signingKey, verifySignatures } from './signing.js';
export { openStockPushes } from './stock-pushes/stock-pushes.js';
export { webhookReasons } from './webhook.errors.js';
export { deliveryIdOf } from './webhook.js';
export { type WebhookRouteOptions, webhookRoutes } from './webhook.routes.js';
export { webhookRows, webhookStateRows } from './webhook-rows.js';
